"""Python's zeep, generated from the served WSDL alone: all ten operations, and a fault. Prints JSON."""
import datetime
import json
import sys

from requests import Session
from requests.auth import HTTPBasicAuth
from zeep import Client
from zeep.exceptions import Fault
from zeep.transports import Transport

wsdl, client_id, secret, prefix = sys.argv[1:]
session = Session()
session.trust_env = False
session.auth = HTTPBasicAuth(client_id, secret)
client = Client(wsdl, transport=Transport(session=session))
hub = client.service


def set_code(code, label):
    return hub.SetOrganisationAnalysisCode(AnalysisCode={"Code": code, "Label": label, "Level": 1, "Visible": True})


one = set_code(prefix + "-1", "Märkte & <Co>")
two = set_code(prefix + "-2", "Second")
label = hub.SetOrganisationAnalysisCodeLabel(AnalysisCodeID=one.ID, Label="Sales")
moved = hub.SetOrganisationAnalysisCodesLevel(AnalysisCodeIDs={"string": [one.ID, two.ID]}, Level=3)
hidden = hub.SetOrganisationAnalysisCodeVisiblity(AnalysisCodeID=two.ID, Visible=False)
level = hub.SetOrganisationAnalysisCodeLevelVisibility(Level=3, Visible=True, Label="Department")
codes = hub.GetAnalysisCodes(Level=3, IncludeHidden=True).AnalysisCodeLevel[0].Codes.AnalysisCode
deleted = hub.DeleteOrganisationAnalysisCode(AnalysisCodeID=two.ID)
saved = hub.SetOrganisationPriceList(
    PriceList={
        "Name": prefix,
        "Currency": "EUR",
        "ValidFrom": datetime.date(2024, 1, 1),
        "MinimumFee": "25",
        "Bands": {
            "Band": [
                {"Name": "Exact", "Kind": "Exact", "Factor": "0.2"},
                {"Name": "Fuzzy", "Kind": "Fuzzy", "MinPercent": 75, "MaxPercent": 99, "Factor": "0.6"},
                {"Name": "New", "Kind": "New", "Factor": "1"},
            ]
        },
        "Lines": {
            "PriceLine": [
                {
                    "Service": "Translation",
                    "SourceLanguage": "en-us",
                    "TargetLanguage": "*",
                    "Unit": "Word",
                    "UnitPrice": "0.145",
                    "AnalysisCodeID": one.ID,
                }
            ]
        },
    }
)
current = hub.GetOrganisationPriceList(At=datetime.date(2024, 6, 1))
by_id = hub.GetOrganisationPriceListbyPriceListID(PriceListID=saved.PriceListID)
try:
    hub.SetOrganisationAnalysisCodeLabel(AnalysisCodeID="nobody", Label="x")
    fault = None
except Fault as caught:
    found = caught.detail[0]
    element = client.wsdl.types.get_element("{%s}SettingsFault" % found.nsmap[None])
    typed = element.parse(found, client.wsdl.types)
    fault = {"class": type(caught).__name__, "side": caught.code, "code": typed.Code, "message": typed.Message}

port = client.wsdl.services["ProjectSettingsService"].ports["BasicHttpBinding_IProjectSettingsService"]
print(
    json.dumps(
        {
            "operations": len(port.binding.all()),
            "made": one.Label,
            "label": label.Label,
            "moved": ["%s of %d" % (code.Code, code.Level) for code in moved],
            "hidden": hidden.Visible,
            "level": level.Label,
            "codes": [code.Code for code in codes],
            "deleted": deleted,
            "fee": str(saved.MinimumFee),
            "percent": saved.Bands.Band[1].MinPercent,
            "price": str(current.Lines.PriceLine[0].UnitPrice),
            "from": current.ValidFrom.isoformat(),
            "again": by_id.PriceListID == saved.PriceListID and by_id.Version == saved.Version,
            "fault": fault,
        },
        ensure_ascii=False,
    )
)
