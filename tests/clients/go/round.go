// A whole round with the client that openapi-generator makes for Go. Prints what it saw;
// scripts/clients-campaign.mjs reads it.
package main

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	openapi "dragoman"
	"github.com/antihax/optional"
)

func must(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

func main() {
	url := os.Args[1]
	settings := openapi.NewConfiguration()
	settings.Servers = []openapi.ServerConfiguration{{Url: url}}
	settings.BasePath = url
	client := openapi.NewAPIClient(settings)
	token, _, err := client.TokenApi.CreateToken(context.Background(), "client_credentials", &openapi.CreateTokenOpts{
		ClientId:     optional.NewString("demo-connector"),
		ClientSecret: optional.NewString("demo-connector-secret"),
	})
	must(err)
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, token.AccessToken)

	providers, _, err := client.ProvidersApi.ListProviders(ctx, nil)
	must(err)
	pseudo := ""
	for _, one := range providers.Providers {
		if one.Name == "Pseudo" {
			pseudo = one.Id
		}
	}
	var labels interface{} = map[string]interface{}{"team": "web", "wave": 2}
	var metadata interface{} = map[string]interface{}{"campaign": map[string]interface{}{"ids": []int{1, 2}}}
	job, _, err := client.JobsApi.CreateJob(ctx, openapi.NewJob{
		JobName: "Round", Labels: labels, ExtendedMetadata: metadata,
	}, nil)
	must(err)
	fmt.Println("created", job.StatusCode)
	var list interface{} = []string{"web"}
	_, _, err = client.JobsApi.CreateJob(ctx, openapi.NewJob{JobName: "Listed", Labels: list}, nil)
	must(err)
	_, _, err = client.JobsApi.ListJobs(ctx, nil)
	must(err)

	transfer, _, err := client.FileTransferApi.CreateSourceFile(ctx, job.JobId, "page.html", nil)
	must(err)
	body := &bytes.Buffer{}
	form := multipart.NewWriter(body)
	part, err := form.CreateFormFile("file", "page.html")
	must(err)
	_, err = part.Write([]byte("<p>Hello</p>"))
	must(err)
	must(form.Close())
	sent, err := http.Post(transfer.FmsPostMultipartUrl, form.FormDataContentType(), body)
	must(err)
	if sent.StatusCode != 201 {
		fmt.Println("not uploaded:", sent.StatusCode)
	}

	one := func(name string) openapi.NewRequest {
		return openapi.NewRequest{
			RequestName:               name,
			SourceNativeId:            strings.ToLower(name),
			SourceNativeLanguageCode:  "en-US",
			TargetNativeLanguageCodes: []string{"de-DE"},
		}
	}
	page, menu := one("Page"), one("Menu")
	page.FmsFileId = transfer.FmsFileId
	menu.Fields = []openapi.Field{{Key: "home", Value: "Home"}}
	added, _, err := client.RequestsApi.AddRequests(ctx, job.JobId, openapi.NewRequestList{
		Requests: []openapi.NewRequest{page, menu},
	}, nil)
	must(err)
	fmt.Println("added", len(added.Requests))
	_, _, err = client.JobsApi.SubmitJob(ctx, job.JobId, &openapi.SubmitJobOpts{
		Submission: optional.NewInterface(openapi.Submission{ProviderId: pseudo}),
	})
	must(err)
	_, err = http.Post(url+"/sandbox/clock/advance", "application/json", strings.NewReader(`{"by":"1s"}`))
	must(err)
	updates, _, err := client.StatusUpdatesApi.ListStatusUpdates(ctx, nil)
	must(err)
	seen := map[string]bool{}
	for _, update := range updates.Statusupdates {
		seen[string(update.StatusCode)] = true
	}
	for code := range seen {
		fmt.Printf("updates ['%s']\n", code)
	}
	ids := []string{}
	for _, request := range added.Requests {
		ids = append(ids, request.RequestId)
		if request.RequestName == "Menu" {
			content, _, err := client.RequestsApi.RetrieveContent(ctx, job.JobId, request.RequestId)
			must(err)
			field := content.TranslationContent[0].TargetContent[0]
			if field.Value == "Home" {
				fmt.Println("not translated")
			}
			fmt.Println("translated", field.Key, "True")
		}
	}
	_, _, err = client.RequestsApi.ApproveRequests(ctx, job.JobId, openapi.Approval{RequestIds: ids}, nil)
	must(err)
	done, _, err := client.JobsApi.CompleteJob(ctx, job.JobId, nil)
	must(err)
	fmt.Println("completed", done.StatusCode)
	_, refused, err := client.JobsApi.FindJob(ctx, "nosuchjob1", nil)
	problem, _ := err.(openapi.GenericOpenAPIError).Model().(openapi.Error)
	fmt.Println("refused", refused.StatusCode, problem.Code)
}
