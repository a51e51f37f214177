// The scenario with oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"

	"example.org/scenario/atoll"
)

var (
	ctx       = context.Background()
	baseURL   = os.Getenv("ATOLL_URL")
	anonymous = as("")
	editor    = as("editor")
	viewer    = as("viewer")
	id        int
)

// Of the default site.
const imageModel, originalFile = 24, 16

func as(name string) *atoll.ClientWithResponses {
	sign := func(_ context.Context, request *http.Request) error {
		if name != "" {
			request.SetBasicAuth(name, name)
		}
		return nil
	}
	client, err := atoll.NewClientWithResponses(baseURL, atoll.WithRequestEditorFn(sign))
	if err != nil {
		panic(err)
	}
	return client
}

func newNode() (atoll.NodeCreate, error) {
	var model atoll.ReferenceInput
	err := model.FromReferenceById(atoll.ReferenceById{TargetId: imageModel})
	return atoll.NodeCreate{
		Type:       []atoll.NodeTypeInput{{TargetId: "islandora_object"}},
		Title:      []atoll.NameItem{{Value: "Made with oapi-codegen"}},
		FieldModel: []atoll.ReferenceInput{model},
	}, err
}

func same(found, wanted any) error {
	if found != wanted {
		return fmt.Errorf("%v is not %v", found, wanted)
	}
	return nil
}

func created(client *atoll.ClientWithResponses) (*atoll.CreateNodeResponse, error) {
	node, err := newNode()
	if err != nil {
		return nil, err
	}
	return client.CreateNodeWithResponse(ctx, nil, node)
}

func readNode(client *atoll.ClientWithResponses) (*atoll.GetNodeResponse, error) {
	return client.GetNodeWithResponse(ctx, id, &atoll.GetNodeParams{UnderscoreFormat: "json"})
}

func create() error {
	answer, err := created(editor)
	if err != nil {
		return err
	}
	if answer.JSON201 == nil {
		return errors.New(answer.Status())
	}
	id = answer.JSON201.Nid[0].Value
	return same(answer.HTTPResponse.Header.Get("Location"), fmt.Sprintf("%s/node/%d", baseURL, id))
}

func read() error {
	answer, err := readNode(anonymous)
	if err != nil {
		return err
	}
	return same(answer.JSON200.Title[0].Value, "Made with oapi-codegen")
}

func patch() error {
	answer, err := editor.UpdateNodeWithResponse(ctx, id, nil, atoll.NodeUpdate{
		Type:  []atoll.NodeTypeInput{{TargetId: "islandora_object"}},
		Title: &[]atoll.NameItem{{Value: "Changed"}},
	})
	if err != nil {
		return err
	}
	return same(answer.JSON200.Title[0].Value, "Changed")
}

func upload() error {
	location := "public://sdk/oapi-codegen.txt"
	params := &atoll.PutNodeMediaParams{ContentLocation: &location}
	bytes := strings.NewReader("bytes of oapi-codegen")
	answer, err := editor.PutNodeMediaWithBodyWithResponse(ctx, id, "file", originalFile, params, "text/plain", bytes)
	if err != nil {
		return err
	}
	return same(answer.StatusCode(), 201)
}

func follow() error {
	answer, err := readNode(editor)
	if err != nil {
		return err
	}
	pattern := regexp.MustCompile(`<[^>]*/(\d+)>; rel="related"; title="Original File"`)
	link := pattern.FindStringSubmatch(strings.Join(answer.HTTPResponse.Header.Values("Link"), ", "))
	if link == nil {
		return errors.New("no related link")
	}
	mediaID, err := strconv.Atoi(link[1])
	if err != nil {
		return err
	}
	media, err := editor.GetMediaWithResponse(ctx, mediaID, &atoll.GetMediaParams{UnderscoreFormat: "json"})
	if err != nil {
		return err
	}
	address, err := url.Parse(*(*media.JSON200.FieldMediaFile)[0].Url)
	if err != nil {
		return err
	}
	path := strings.TrimPrefix(address.Path, "/sites/default/files/")
	content, err := editor.GetPublicContentWithResponse(ctx, path, nil)
	if err != nil {
		return err
	}
	return same(string(content.Body), "bytes of oapi-codegen")
}

func remove() error {
	answer, err := editor.DeleteNodeWithResponse(ctx, id, nil)
	if err != nil {
		return err
	}
	return same(answer.StatusCode(), 204)
}

func notFound() error {
	answer, err := readNode(editor)
	if err != nil {
		return err
	}
	if answer.JSON404 == nil {
		return errors.New(answer.Status())
	}
	return same(strings.HasPrefix(answer.JSON404.Message, `The "node" parameter was not converted`), true)
}

func unauthorized() error {
	answer, err := created(anonymous)
	if err != nil {
		return err
	}
	if answer.JSON401 == nil {
		return errors.New(answer.Status())
	}
	return same(answer.JSON401.Message, "No authentication credentials provided.")
}

func forbidden() error {
	answer, err := created(viewer)
	if err != nil {
		return err
	}
	if answer.JSON403 == nil {
		return errors.New(answer.Status())
	}
	return nil
}

func main() {
	steps := []struct {
		name string
		run  func() error
	}{
		{"create", create},
		{"read", read},
		{"patch", patch},
		{"upload", upload},
		{"follow", follow},
		{"delete", remove},
		{"404", notFound},
		{"401", unauthorized},
		{"403", forbidden},
	}
	for _, step := range steps {
		told := map[string]any{"step": step.name, "ok": true}
		if err := step.run(); err != nil {
			told = map[string]any{"step": step.name, "ok": false, "why": err.Error()}
		}
		line, _ := json.Marshal(told)
		fmt.Println(string(line))
	}
}
