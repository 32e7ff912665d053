import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Logs, commands and ports of Pods: the suite has a Pod `talker`, which answers HTTP at 8080 and has written `ready`. */
final class Fabric8Pods {
  static void runAll(Checks checks, String kubeconfig) {
    Map<String, HttpClient.Factory> clients = Map.of("vertx", new VertxHttpClientFactory(), "jdk", new JdkHttpClientFactory());
    for (String name : List.of("vertx", "jdk")) {
      try (KubernetesClient client = Fabric8.clientOf(kubeconfig, clients.get(name))) {
        run(checks, "fabric8-" + name + ": ", client.pods().inNamespace("default").withName("talker"), client);
      }
    }
  }

  private static void run(Checks checks, String prefix, PodResource pod, KubernetesClient client) {
    checks.check(prefix + "reads a log, whole and as it grows", () -> {
      String log = pod.getLog();
      try (LogWatch watch = pod.watchLog(); BufferedReader lines = new BufferedReader(new InputStreamReader(watch.getOutput()))) {
        return Checks.saw(log, lines.readLine());
      }
    });
    checks.check(prefix + "runs a command, with both outputs and the exit code", () -> {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      ContainerResource container = pod.inContainer("talker");
      try (ExecWatch watch = container.writingOutput(out).writingError(err).exec("sh", "-c", "echo out; echo err >&2; exit 3")) {
        int code = watch.exitCode().get(30, TimeUnit.SECONDS);
        return Checks.saw(code, out, err);
      }
    });
    checks.check(prefix + "writes to a command", () -> {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (ExecWatch watch = pod.redirectingInput().writingOutput(out).exec("head", "-n", "1")) {
        watch.getInput().write("first\nsecond\n".getBytes(StandardCharsets.UTF_8));
        watch.getInput().flush();
        return Checks.saw(watch.exitCode().get(30, TimeUnit.SECONDS), out);
      }
    });
    checks.check(prefix + "forwards a port", () -> {
      try (LocalPortForward forward = pod.portForward(8080)) {
        var url = URI.create("http://127.0.0.1:" + forward.getLocalPort() + "/").toURL();
        try (var body = url.openStream()) {
          return Checks.saw(new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    });
    checks.check(prefix + "is refused the log of a Pod that is missing",
        () -> Fabric8.refusal(() -> client.pods().inNamespace("default").withName("missing").getLog()));
  }
}
