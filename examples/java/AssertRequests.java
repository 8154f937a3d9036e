import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

class AssertRequests {
    static String send(String method, String url, String json) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json");
        var response = HttpClient.newHttpClient()
            .send(request.method(method, BodyPublishers.ofString(json)).build(), BodyHandlers.ofString());
        if (response.statusCode() >= 400) throw new IllegalStateException(response.body());
        return response.body();
    }

    static void expect(String sandbox, String json) throws Exception {
        var answer = send("POST", sandbox + "/requests/expect", json);
        // With a JSON library, read `matched`, and throw an exception with `message`.
        if (!answer.contains("\"matched\": true")) throw new AssertionError(answer);
    }

    public static void main(String[] args) throws Exception {
        var sandbox = args[0] + "/_understudy/sandboxes/job-java";
        send("PUT", sandbox, "{\"from\": \"documented\"}");
        send("GET", args[0] + "/sandboxes/job-java/api/users/alice/notifications/", "");
        expect(sandbox, """
            { "match": { "method": "GET", "path": "/api/users/*/notifications/" }, "times": 1, "within_ms": 5000 }""");
        expect(sandbox, "{ \"match\": { \"method\": \"DELETE\" }, \"times\": 0 }");
    }
}
