// The scenario with the Go client of openapi-generator.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"

	atoll "github.com/example/atoll-go"
)

var (
	client    = atoll.NewAPIClient(configuration())
	anonymous = context.Background()
	editor    = as("editor")
	viewer    = as("viewer")
	baseURL   = os.Getenv("ATOLL_URL")
	id        int32
)

// Of the default site.
const imageModel, originalFile = 24, 16

func configuration() *atoll.Configuration {
	configuration := atoll.NewConfiguration()
	configuration.Servers = atoll.ServerConfigurations{{URL: os.Getenv("ATOLL_URL")}}
	return configuration
}

func as(name string) context.Context {
	return context.WithValue(context.Background(), atoll.ContextBasicAuth, atoll.BasicAuth{UserName: name, Password: name})
}

func newNode() atoll.NodeCreate {
	model := atoll.ReferenceByIdAsReferenceInput(atoll.NewReferenceById(imageModel))
	return *atoll.NewNodeCreate(
		[]atoll.NodeTypeInput{*atoll.NewNodeTypeInput("islandora_object")},
		[]atoll.NameItem{*atoll.NewNameItem("Made with Go")},
		[]atoll.ReferenceInput{model},
	)
}

func same(found, wanted any) error {
	if found != wanted {
		return fmt.Errorf("%v is not %v", found, wanted)
	}
	return nil
}

// refusal gives the message of the typed error of a refused call.
func refusal(err error) (string, error) {
	var refused *atoll.GenericOpenAPIError
	if !errors.As(err, &refused) {
		return "", fmt.Errorf("it was not refused: %v", err)
	}
	model, ok := refused.Model().(atoll.ErrorMessage)
	if !ok {
		return "", fmt.Errorf("%T is not the typed error", refused.Model())
	}
	return model.Message, nil
}

func create() error {
	node, response, err := client.NodesAPI.CreateNode(editor).NodeCreate(newNode()).Format("json").Execute()
	if err != nil {
		return err
	}
	id = node.Nid[0].Value
	return errors.Join(
		same(response.StatusCode, 201),
		same(response.Header.Get("Location"), fmt.Sprintf("%s/node/%d", baseURL, id)),
	)
}

func read() error {
	node, _, err := client.NodesAPI.GetNode(anonymous, id).Format("json").Execute()
	if err != nil {
		return err
	}
	return same(node.Title[0].Value, "Made with Go")
}

func patch() error {
	change := atoll.NewNodeUpdate([]atoll.NodeTypeInput{*atoll.NewNodeTypeInput("islandora_object")})
	change.SetTitle([]atoll.NameItem{*atoll.NewNameItem("Changed")})
	node, _, err := client.NodesAPI.UpdateNode(editor, id).NodeUpdate(*change).Execute()
	if err != nil {
		return err
	}
	return same(node.Title[0].Value, "Changed")
}

func upload() error {
	file, err := os.CreateTemp("", "atoll-*.txt")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if _, err = file.WriteString("bytes of Go"); err != nil {
		return err
	}
	if _, err = file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	response, err := client.UploadAPI.PutNodeMedia(editor, id, "file", originalFile).
		Body(file).ContentLocation("public://sdk/go.txt").Execute()
	if err != nil {
		return err
	}
	return same(response.StatusCode, 201)
}

func follow() error {
	_, response, err := client.NodesAPI.GetNode(editor, id).Format("json").Execute()
	if err != nil {
		return err
	}
	pattern := regexp.MustCompile(`<[^>]*/(\d+)>; rel="related"; title="Original File"`)
	link := pattern.FindStringSubmatch(strings.Join(response.Header.Values("Link"), ", "))
	if link == nil {
		return errors.New("no related link")
	}
	mediaID, err := strconv.ParseInt(link[1], 10, 32)
	if err != nil {
		return err
	}
	media, _, err := client.MediaAPI.GetMedia(editor, int32(mediaID)).Format("json").Execute()
	if err != nil {
		return err
	}
	address, err := url.Parse(media.FieldMediaFile[0].GetUrl())
	if err != nil {
		return err
	}
	path := strings.TrimPrefix(address.Path, "/sites/default/files/")
	content, _, err := client.BinaryContentAPI.GetPublicContent(editor, path).Execute()
	if err != nil {
		return err
	}
	defer os.Remove(content.Name())
	bytes, err := io.ReadAll(content)
	return errors.Join(err, same(string(bytes), "bytes of Go"))
}

func remove() error {
	response, err := client.NodesAPI.DeleteNode(editor, id).Execute()
	if err != nil {
		return err
	}
	return same(response.StatusCode, 204)
}

func notFound() error {
	_, response, err := client.NodesAPI.GetNode(editor, id).Format("json").Execute()
	message, err := refusal(err)
	if err != nil {
		return err
	}
	return errors.Join(
		same(response.StatusCode, 404),
		same(strings.HasPrefix(message, `The "node" parameter was not converted`), true),
	)
}

func refused(as context.Context, status int, wanted string) error {
	_, response, err := client.NodesAPI.CreateNode(as).NodeCreate(newNode()).Execute()
	message, err := refusal(err)
	if err != nil {
		return err
	}
	return errors.Join(same(response.StatusCode, status), same(message, wanted))
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
		{"401", func() error { return refused(anonymous, 401, "No authentication credentials provided.") }},
		{"403", func() error { return refused(viewer, 403, "") }},
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
