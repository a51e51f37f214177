/** The scenario with the Java client of openapi-generator (okhttp and Gson). */
import com.google.gson.Gson;
import java.io.File;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.example.atoll.ApiClient;
import org.example.atoll.ApiException;
import org.example.atoll.ApiResponse;
import org.example.atoll.api.BinaryContentApi;
import org.example.atoll.api.MediaApi;
import org.example.atoll.api.NodesApi;
import org.example.atoll.api.UploadApi;
import org.example.atoll.model.ErrorMessage;
import org.example.atoll.model.MediaRecord;
import org.example.atoll.model.NodeRecord;
import org.example.atoll.model.NodeCreate;
import org.example.atoll.model.NodeUpdate;
import org.example.atoll.model.ReferenceById;
import org.example.atoll.model.ReferenceInput;
import org.example.atoll.model.NameItem;
import org.example.atoll.model.NodeTypeInput;

public class Scenario {
  static final String BASE_URL = System.getenv("ATOLL_URL");
  static final ApiClient ANONYMOUS = new ApiClient().setBasePath(BASE_URL);
  static final ApiClient EDITOR = as("editor");
  static final ApiClient VIEWER = as("viewer");
  static final NodesApi NODES = new NodesApi(EDITOR);
  static final int IMAGE_MODEL = 24; // of the default site
  static final int ORIGINAL_FILE = 16;
  static int id;

  static ApiClient as(String name) {
    ApiClient client = new ApiClient().setBasePath(BASE_URL);
    client.setUsername(name);
    client.setPassword(name);
    return client;
  }

  interface Step {
    void run() throws Exception;
  }

  static void step(String name, Step step) {
    Map<String, Object> told;
    try {
      step.run();
      told = Map.of("step", name, "ok", true);
    } catch (Exception | AssertionError failure) {
      told = Map.of("step", name, "ok", false, "why", failure.toString());
    }
    System.out.println(new Gson().toJson(told));
  }

  static void same(Object found, Object wanted) {
    if (!found.equals(wanted)) throw new AssertionError(found + " is not " + wanted);
  }

  /** The typed error of a refused call. */
  static String refusal(int status, Step call) throws Exception {
    try {
      call.run();
    } catch (ApiException refused) {
      same(refused.getCode(), status);
      return ErrorMessage.fromJson(refused.getResponseBody()).getMessage();
    }
    throw new AssertionError("It was not refused.");
  }

  static List<NodeTypeInput> type() {
    return List.of(new NodeTypeInput().targetId("islandora_object"));
  }

  static List<NameItem> title(String text) {
    return List.of(new NameItem().value(text));
  }

  static NodeCreate newNode() {
    ReferenceInput model = new ReferenceInput(new ReferenceById().targetId(IMAGE_MODEL));
    return new NodeCreate().type(type()).title(title("Made with Java")).fieldModel(List.of(model));
  }

  static int linkedId(List<String> links, String title) {
    String link = links.stream().filter(each -> each.contains("rel=\"related\"; title=\"" + title)).findFirst().get();
    return Integer.parseInt(link.replaceAll("<[^>]*/(\\d+)>.*", "$1"));
  }

  public static void main(String[] arguments) {
    step("create", () -> {
      ApiResponse<NodeRecord> answer = NODES.createNodeWithHttpInfo(newNode(), "json");
      same(answer.getStatusCode(), 201);
      id = answer.getData().getNid().get(0).getValue();
      same(answer.getHeaders().get("Location").get(0), BASE_URL + "/node/" + id);
    });
    step("read", () -> {
      NodeRecord node = new NodesApi(ANONYMOUS).getNode(id, "json");
      same(node.getTitle().get(0).getValue(), "Made with Java");
    });
    step("patch", () -> {
      NodeUpdate change = new NodeUpdate().type(type()).title(title("Changed"));
      NodeRecord node = NODES.updateNode(id, change, "json");
      same(node.getTitle().get(0).getValue(), "Changed");
      same(node.getFieldModel().get(0).getTargetId(), IMAGE_MODEL);
    });
    step("upload", () -> {
      File file = Files.writeString(Files.createTempFile("atoll", ".txt"), "bytes of Java").toFile();
      ApiResponse<Void> answer =
          new UploadApi(EDITOR)
              .putNodeMediaWithHttpInfo(id, "file", ORIGINAL_FILE, file, "public://sdk/java.txt");
      same(answer.getStatusCode(), 201);
    });
    step("follow", () -> {
      List<String> links = NODES.getNodeWithHttpInfo(id, "json").getHeaders().get("Link");
      MediaRecord media = new MediaApi(EDITOR).getMedia(linkedId(links, "Original File"), "json");
      String path = media.getFieldMediaFile().get(0).getUrl().getRawPath().replace("/sites/default/files/", "");
      File content = new BinaryContentApi(EDITOR)
          .getPublicContent(URLDecoder.decode(path, StandardCharsets.UTF_8), null, null, null, null);
      same(Files.readString(content.toPath()), "bytes of Java");
    });
    step("delete", () -> same(NODES.deleteNodeWithHttpInfo(id, null).getStatusCode(), 204));
    step("404", () -> {
      String message = refusal(404, () -> NODES.getNode(id, "json"));
      same(message.startsWith("The \"node\" parameter was not converted"), true);
    });
    step("401", () -> {
      String message = refusal(401, () -> new NodesApi(ANONYMOUS).createNode(newNode(), null));
      same(message, "No authentication credentials provided.");
    });
    step("403", () -> refusal(403, () -> new NodesApi(VIEWER).createNode(newNode(), null)));
  }
}
