<?php
// A whole round with the client that openapi-generator makes for PHP. Prints what it saw; tests/clients.test.ts reads it.

namespace GuzzleHttp\Psr7 {
    // The generated client is for Guzzle 6; Guzzle 7 has these as methods.
    if (!function_exists('GuzzleHttp\Psr7\build_query')) {
        function build_query(array $params): string
        {
            return Query::build($params);
        }
    }
}

namespace {
    use OpenAPI\Client\Api;
    use OpenAPI\Client\ApiException;
    use OpenAPI\Client\Configuration;
    use OpenAPI\Client\Model;

    error_reporting(E_ALL & ~E_DEPRECATED);
    [, $url, $lib] = $argv;
    require_once 'GuzzleHttp/autoload.php';
    spl_autoload_register(function (string $name) use ($lib): void {
        $path = $lib . '/' . str_replace('\\', '/', substr($name, strlen('OpenAPI\\Client\\'))) . '.php';
        if (str_starts_with($name, 'OpenAPI\\Client\\') && is_file($path)) {
            require $path;
        }
    });

    $http = new GuzzleHttp\Client();
    $config = (new Configuration())->setHost($url);
    $token = (new Api\TokenApi($http, $config))->createToken('client_credentials', 'demo-connector', 'demo-connector-secret');
    $config->setAccessToken($token->getAccessToken());

    [$jobs, $requests] = [new Api\JobsApi($http, $config), new Api\RequestsApi($http, $config)];
    $providers = (new Api\ProvidersApi($http, $config))->listProviders()->getProviders();
    [$pseudo] = array_values(array_filter($providers, fn ($one) => $one->getName() === 'Pseudo'));
    $job = $jobs->createJob(new Model\NewJob(['job_name' => 'Round', 'labels' => ['web']]));
    echo 'created ', $job->getStatusCode(), "\n";

    $transfer = (new Api\FileTransferApi($http, $config))->createSourceFile($job->getJobId(), 'page.html');
    $file = ['name' => 'file', 'contents' => '<p>Hello</p>', 'filename' => 'page.html'];
    $http->post($transfer->getFmsPostMultipartUrl(), ['multipart' => [$file]]);

    $languages = ['source_native_language_code' => 'en-US', 'target_native_language_codes' => ['de-DE']];
    $items = [
        new Model\NewRequest(['request_name' => 'Page', 'source_native_id' => 'page', 'fms_file_id' => $transfer->getFmsFileId()] + $languages),
        new Model\NewRequest(['request_name' => 'Menu', 'source_native_id' => 'menu', 'fields' => [new Model\Field(['key' => 'home', 'value' => 'Home'])]] + $languages),
    ];
    $added = $requests->addRequests($job->getJobId(), new Model\NewRequestList(['requests' => $items]))->getRequests();
    echo 'added ', count($added), "\n";
    $jobs->submitJob($job->getJobId(), new Model\Submission(['provider_id' => $pseudo->getId()]));
    $http->post("$url/sandbox/clock/advance", ['json' => ['by' => '1s']]);
    $updates = (new Api\StatusUpdatesApi($http, $config))->listStatusUpdates()->getStatusupdates();
    echo "updates ['", implode("', '", array_unique(array_map(fn ($one) => $one->getStatusCode(), $updates))), "']\n";
    [$menu] = array_values(array_filter($added, fn ($one) => $one->getRequestName() === 'Menu'));
    $content = $requests->retrieveContent($job->getJobId(), $menu->getRequestId())->getTranslationContent()[0]->getTargetContent()[0];
    echo 'translated ', $content->getKey(), ' ', $content->getValue() !== 'Home' ? 'True' : 'False', "\n";
    $ids = array_map(fn ($one) => $one->getRequestId(), $added);
    $requests->approveRequests($job->getJobId(), new Model\Approval(['request_ids' => $ids]));
    echo 'completed ', $jobs->completeJob($job->getJobId())->getStatusCode(), "\n";
    try {
        $jobs->findJob('nosuchjob1');
    } catch (ApiException $error) {
        echo 'refused ', $error->getCode(), ' ', json_decode((string) $error->getResponseBody())->code, "\n";
    }
}
