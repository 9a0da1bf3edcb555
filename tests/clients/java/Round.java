import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.FileTransferApi;
import org.openapitools.client.api.JobsApi;
import org.openapitools.client.api.ProvidersApi;
import org.openapitools.client.api.RequestsApi;
import org.openapitools.client.api.StatusUpdatesApi;
import org.openapitools.client.model.Approval;
import org.openapitools.client.model.Field;
import org.openapitools.client.model.NewJob;
import org.openapitools.client.model.NewRequest;
import org.openapitools.client.model.NewRequestList;
import org.openapitools.client.model.Submission;

/**
 * A whole round with the client that openapi-generator makes for Java. Prints what it saw;
 * scripts/clients-campaign.mjs reads it.
 */
public class Round {
  static final HttpClient http = HttpClient.newHttpClient();

  static String post(String url, String type, String body) throws Exception {
    var call = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", type);
    var sent = call.POST(HttpRequest.BodyPublishers.ofString(body)).build();
    return http.send(sent, HttpResponse.BodyHandlers.ofString()).body();
  }

  static NewRequest request(String name) {
    return new NewRequest()
        .requestName(name)
        .sourceNativeId(name.toLowerCase())
        .sourceNativeLanguageCode("en-US")
        .targetNativeLanguageCodes(List.of("de-DE"));
  }

  public static void main(String[] args) throws Exception {
    var url = URI.create(args[0]);
    var client = new ApiClient();
    client.setScheme(url.getScheme()).setHost(url.getHost()).setPort(url.getPort()).setBasePath("");
    var form =
        "grant_type=client_credentials&client_id=demo-connector&client_secret=demo-connector-secret";
    var answer = post(url + "/connect/token", "application/x-www-form-urlencoded", form);
    var token = client.getObjectMapper().readTree(answer).get("access_token").asText();
    client.setRequestInterceptor(call -> call.header("Authorization", "Bearer " + token));
    var jobs = new JobsApi(client);
    var requests = new RequestsApi(client);

    var pseudo = "";
    for (var one : new ProvidersApi(client).listProviders(null, null, null).getProviders())
      if (one.getName().equals("Pseudo")) pseudo = one.getId();
    Object labels = Map.of("team", "web", "wave", 2);
    Object metadata = Map.of("campaign", Map.of("ids", List.of(1, 2)));
    var job =
        jobs.createJob(
            new NewJob().jobName("Round").labels(labels).extendedMetadata(metadata), null);
    System.out.println("created " + job.getStatusCode());
    Object list = List.of("web");
    jobs.createJob(new NewJob().jobName("Listed").labels(list), null);
    jobs.listJobs(null, null, null, null, null, null, null, null, null, null);

    var transfer = new FileTransferApi(client).createSourceFile(job.getJobId(), "page.html", null);
    var boundary = "a-boundary-that-is-not-in-the-file";
    var head = "Content-Disposition: form-data; name=\"file\"; filename=\"page.html\"";
    var body =
        String.format("--%s\r\n%s\r\n\r\n<p>Hello</p>\r\n--%s--\r\n", boundary, head, boundary);
    var type = "multipart/form-data; boundary=" + boundary;
    post(transfer.getFmsPostMultipartUrl().toString(), type, body);

    var page = request("Page").fmsFileId(transfer.getFmsFileId().toString());
    var menu = request("Menu").fields(List.of(new Field().key("home").value("Home")));
    var both = new NewRequestList().requests(List.of(page, menu));
    var added = requests.addRequests(job.getJobId(), both, null).getRequests();
    System.out.println("added " + added.size());
    jobs.submitJob(job.getJobId(), new Submission().providerId(pseudo));
    post(url + "/sandbox/clock/advance", "application/json", "{\"by\":\"1s\"}");
    var codes = new TreeSet<String>();
    var updates =
        new StatusUpdatesApi(client)
            .listStatusUpdates(null, null, null, null, null, null, null, null);
    for (var update : updates.getStatusupdates()) codes.add(update.getStatusCode().toString());
    System.out.println("updates ['" + String.join("', '", codes) + "']");
    var approval = new Approval();
    for (var one : added) {
      approval.addRequestIdsItem(one.getRequestId());
      if (!one.getRequestName().equals("Menu")) continue;
      var content = requests.retrieveContent(job.getJobId(), one.getRequestId());
      var field = content.getTranslationContent().get(0).getTargetContent().get(0);
      var isTranslated = field.getValue().equals("Home") ? "False" : "True";
      System.out.println("translated " + field.getKey() + " " + isTranslated);
    }
    requests.approveRequests(job.getJobId(), approval, null);
    System.out.println("completed " + jobs.completeJob(job.getJobId(), null).getStatusCode());
    try {
      jobs.findJob("nosuchjob1", null);
    } catch (ApiException error) {
      var code = client.getObjectMapper().readTree(error.getResponseBody()).get("code").asText();
      System.out.println("refused " + error.getCode() + " " + code);
    }
  }
}
