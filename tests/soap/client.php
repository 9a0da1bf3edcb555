<?php
// PHP's SoapClient, generated from the served WSDL alone: all ten operations, and a fault. Prints JSON.
[, $wsdl, $clientId, $secret, $prefix] = $argv;
ini_set('soap.wsdl_cache_enabled', '0');
$client = new SoapClient($wsdl, ['login' => $clientId, 'password' => $secret, 'features' => SOAP_SINGLE_ELEMENT_ARRAYS]);

$set = fn(string $code, string $label) => $client->SetOrganisationAnalysisCode([
    'AnalysisCode' => ['Code' => $code, 'Label' => $label, 'Level' => 1, 'Visible' => true],
])->SetOrganisationAnalysisCodeResult;
$one = $set("$prefix-1", 'Märkte & <Co>');
$two = $set("$prefix-2", 'Second');
$label = $client->SetOrganisationAnalysisCodeLabel(['AnalysisCodeID' => $one->ID, 'Label' => 'Sales'])
    ->SetOrganisationAnalysisCodeLabelResult;
$moved = $client->SetOrganisationAnalysisCodesLevel([
    'AnalysisCodeIDs' => ['string' => [$one->ID, $two->ID]], 'Level' => 3,
])->SetOrganisationAnalysisCodesLevelResult->AnalysisCode;
$hidden = $client->SetOrganisationAnalysisCodeVisiblity(['AnalysisCodeID' => $two->ID, 'Visible' => false])
    ->SetOrganisationAnalysisCodeVisiblityResult;
$level = $client->SetOrganisationAnalysisCodeLevelVisibility(['Level' => 3, 'Visible' => true, 'Label' => 'Department'])
    ->SetOrganisationAnalysisCodeLevelVisibilityResult;
$codes = $client->GetAnalysisCodes(['Level' => 3, 'IncludeHidden' => true])
    ->GetAnalysisCodesResult->Levels->AnalysisCodeLevel[0]->Codes->AnalysisCode;
$deleted = $client->DeleteOrganisationAnalysisCode(['AnalysisCodeID' => $two->ID])
    ->DeleteOrganisationAnalysisCodeResult;
$saved = $client->SetOrganisationPriceList(['PriceList' => [
    'Name' => $prefix, 'Currency' => 'EUR', 'ValidFrom' => '2024-01-01', 'MinimumFee' => '25',
    'Bands' => ['Band' => [
        ['Name' => 'Exact', 'Kind' => 'Exact', 'Factor' => '0.2'],
        ['Name' => 'Fuzzy', 'Kind' => 'Fuzzy', 'MinPercent' => 75, 'MaxPercent' => 99, 'Factor' => '0.6'],
        ['Name' => 'New', 'Kind' => 'New', 'Factor' => '1'],
    ]],
    'Lines' => ['PriceLine' => [[
        'Service' => 'Translation', 'SourceLanguage' => 'en-us', 'TargetLanguage' => '*', 'Unit' => 'Word',
        'UnitPrice' => '0.145', 'AnalysisCodeID' => $one->ID,
    ]]],
]])->SetOrganisationPriceListResult;
$current = $client->GetOrganisationPriceList(['At' => '2024-06-01'])->GetOrganisationPriceListResult;
$byId = $client->GetOrganisationPriceListbyPriceListID(['PriceListID' => $saved->PriceListID])
    ->GetOrganisationPriceListbyPriceListIDResult;
try {
    $client->SetOrganisationAnalysisCodeLabel(['AnalysisCodeID' => 'nobody', 'Label' => 'x']);
    $fault = null;
} catch (SoapFault $caught) {
    $fault = [
        'class' => get_class($caught),
        'side' => $caught->faultcode,
        'code' => $caught->detail->SettingsFault->Code,
        'message' => $caught->detail->SettingsFault->Message,
    ];
}
echo json_encode([
    'operations' => count(array_unique($client->__getFunctions())),
    'made' => $one->Label,
    'label' => $label->Label,
    'moved' => array_map(fn($code) => "$code->Code of $code->Level", $moved),
    'hidden' => $hidden->Visible,
    'level' => $level->Label,
    'codes' => array_map(fn($code) => $code->Code, $codes),
    'deleted' => $deleted,
    'fee' => (string) $saved->MinimumFee,
    'percent' => $saved->Bands->Band[1]->MinPercent,
    'price' => (string) $current->Lines->PriceLine[0]->UnitPrice,
    'from' => $current->ValidFrom,
    'again' => $byId->PriceListID === $saved->PriceListID && $byId->Version === $saved->Version,
    'fault' => $fault,
], JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
