// Calls the service with the client of oapi-codegen. Prints what it read as JSON.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"time"

	"example.com/clients/trifold"
)

var ctx = context.Background()

func main() {
	client, err := trifold.NewClientWithResponses(
		os.Getenv("TRIFOLD_URL"),
		trifold.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("TRIFOLD_KEY"))
			return nil
		}),
	)
	check(err)
	template := os.Getenv("TRIFOLD_TEMPLATE")
	request := func(name any) trifold.GenerateRequest {
		return trifold.GenerateRequest{TemplateId: &template, Data: map[string]any{"name": name}}
	}

	answer, err := client.CreateDocumentWithResponse(ctx, nil, request("sync"))
	check(err)
	document, err := answer.JSON200.AsCompletedDocument()
	check(err)

	asynchronous := true
	wanted := request("async")
	wanted.Async = &asynchronous
	answer, err = client.CreateDocumentWithResponse(ctx, nil, wanted)
	check(err)
	unfinished, err := answer.JSON202.AsUnfinishedDocument()
	check(err)
	polled := trifold.CompletedDocument{}
	until(func() bool {
		status, err := client.ReadDocumentWithResponse(ctx, unfinished.Id)
		check(err)
		polled, err = status.JSON200.AsCompletedDocument()
		check(err)
		return polled.Status == "completed"
	})

	file, err := client.DownloadDocumentWithResponse(ctx, polled.Id, nil)
	check(err)
	check(os.WriteFile(os.Getenv("TRIFOLD_FILE"), file.Body, 0o600))

	created, err := client.CreateBatchWithResponse(ctx, nil, trifold.BatchRequest{
		TemplateId: &template,
		Format:     "pdf",
		Items: []trifold.BatchRequestItem{
			{Data: map[string]any{"name": "one"}},
			{Data: map[string]any{"name": "two"}},
		},
	})
	check(err)
	batch := &trifold.BatchInFull{}
	until(func() bool {
		status, err := client.ReadBatchWithResponse(ctx, created.JSON202.Id)
		check(err)
		batch = status.JSON200
		return batch.Status == "completed"
	})

	failed, err := client.CreateDocumentWithResponse(ctx, nil, request(7))
	check(err)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"sync":    document.Status,
		"polled":  polled.Id,
		"done":    batch.Completed,
		"items":   len(batch.Items),
		"status":  failed.StatusCode(),
		"code":    failed.JSON422.Code,
		"problem": (*failed.JSON422.Details)[0].Path,
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
