"""A whole round with the client that openapi-generator makes for Python. Prints what it saw; tests/clients.test.ts reads it."""

import json
import sys
import urllib.request

import openapi_client as client
from openapi_client.rest import ApiException

url = sys.argv[1]
configuration = client.Configuration(host=url)
api = client.ApiClient(configuration)
token = client.TokenApi(api).create_token(
    "client_credentials", client_id="demo-connector", client_secret="demo-connector-secret"
)
configuration.access_token = token.access_token

jobs, requests = client.JobsApi(api), client.RequestsApi(api)
pseudo = next(one for one in client.ProvidersApi(api).list_providers().providers if one.name == "Pseudo")
job = jobs.create_job(client.NewJob(job_name="Round", labels=["web"]), idempotency_key="round-py")
assert jobs.create_job(client.NewJob(job_name="Round", labels=["web"]), idempotency_key="round-py").job_id == job.job_id
print("created", job.status_code)

transfer = client.FileTransferApi(api).create_source_file(job.job_id, file_name="page.html")
boundary = "a-boundary-that-is-not-in-the-file"
body = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="page.html"\r\n\r\n<p>Hello</p>\r\n--{boundary}--\r\n'
call = urllib.request.Request(
    transfer.fms_post_multipart_url, body.encode(), {"content-type": f"multipart/form-data; boundary={boundary}"}
)
assert urllib.request.urlopen(call).status == 201

languages = {"source_native_language_code": "en-US", "target_native_language_codes": ["de-DE"]}
items = [
    client.NewRequest(request_name="Page", source_native_id="page", fms_file_id=transfer.fms_file_id, **languages),
    client.NewRequest(
        request_name="Menu", source_native_id="menu", fields=[client.Field(key="home", value="Home")], **languages
    ),
]
added = requests.add_requests(job.job_id, client.NewRequestList(requests=items)).requests
print("added", len(added))
jobs.submit_job(job.job_id, submission=client.Submission(provider_id=pseudo.id))
advance = urllib.request.Request(
    f"{url}/sandbox/clock/advance", json.dumps({"by": "1s"}).encode(), {"content-type": "application/json"}
)
urllib.request.urlopen(advance)
updates = client.StatusUpdatesApi(api).list_status_updates().statusupdates
print("updates", sorted({one.status_code for one in updates}))
menu = next(one for one in added if one.request_name == "Menu")
content = requests.retrieve_content(job.job_id, menu.request_id).translation_content[0].target_content[0]
print("translated", content.key, content.value != "Home")
requests.approve_requests(job.job_id, client.Approval(request_ids=[one.request_id for one in added]))
print("completed", jobs.complete_job(job.job_id).status_code)
try:
    jobs.find_job("nosuchjob1")
except ApiException as error:
    print("refused", error.status, json.loads(error.body)["code"])
