// Calls the service with the Go client of openapi-generator. Prints what it read as JSON.
package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"time"

	"example.com/clients/trifold"
)

func main() {
	configuration := trifold.NewConfiguration()
	configuration.Servers = trifold.ServerConfigurations{{URL: os.Getenv("TRIFOLD_URL")}}
	client := trifold.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), trifold.ContextAccessToken, os.Getenv("TRIFOLD_KEY"))
	template := os.Getenv("TRIFOLD_TEMPLATE")
	request := func(name any) *trifold.GenerateRequest {
		wanted := trifold.NewGenerateRequest(map[string]any{"name": name})
		wanted.SetTemplateId(template)
		return wanted
	}

	document, _, err := client.DocumentsAPI.CreateDocument(ctx).GenerateRequest(*request("sync")).Execute()
	check(err)

	wanted := request("async")
	wanted.SetAsync(true)
	unfinished, _, err := client.DocumentsAPI.CreateDocument(ctx).GenerateRequest(*wanted).Execute()
	check(err)
	var polled *trifold.Document
	until(func() bool {
		polled, _, err = client.DocumentsAPI.ReadDocument(ctx, unfinished.UnfinishedDocument.Id).Execute()
		check(err)
		return polled.CompletedDocument != nil
	})

	file, _, err := client.DocumentsAPI.DownloadDocument(ctx, polled.CompletedDocument.Id).Execute()
	check(err)
	bytes, err := io.ReadAll(file)
	check(err)
	check(os.WriteFile(os.Getenv("TRIFOLD_FILE"), bytes, 0o600))

	items := []trifold.BatchRequestItem{
		*trifold.NewBatchRequestItem(map[string]any{"name": "one"}),
		*trifold.NewBatchRequestItem(map[string]any{"name": "two"}),
	}
	batchRequest := trifold.NewBatchRequest("pdf", items)
	batchRequest.SetTemplateId(template)
	created, _, err := client.BatchesAPI.CreateBatch(ctx).BatchRequest(*batchRequest).Execute()
	check(err)
	var batch *trifold.BatchInFull
	until(func() bool {
		batch, _, err = client.BatchesAPI.ReadBatch(ctx, created.Id).Execute()
		check(err)
		return batch.Status == "completed"
	})

	_, response, err := client.DocumentsAPI.CreateDocument(ctx).GenerateRequest(*request(7)).Execute()
	problem := err.(*trifold.GenericOpenAPIError).Model().(trifold.GenerationError)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"sync":    document.CompletedDocument.Status,
		"polled":  polled.CompletedDocument.Id,
		"done":    batch.Completed,
		"items":   len(batch.Items),
		"status":  response.StatusCode,
		"code":    problem.Code,
		"problem": problem.Details[0].Path,
	}))
}

func until(done func() bool) {
	for range 600 {
		if done() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	panic("not finished after a minute")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
