import io.kubernetes.client.Exec;
import io.kubernetes.client.PodLogs;
import io.kubernetes.client.PortForward;
import io.kubernetes.client.openapi.ApiClient;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** As {@link Fabric8Pods}, by the official client. */
final class OfficialPods {
  static void runAll(Checks checks, String kubeconfig) throws Exception {
    ApiClient client = Official.clientOf(kubeconfig);
    checks.check("official: follows a log", () -> {
      InputStream log = new PodLogs(client).streamNamespacedPodLog("default", "talker", "talker");
      try (BufferedReader lines = new BufferedReader(new InputStreamReader(log))) {
        return Checks.saw(lines.readLine());
      }
    });
    checks.check("official: runs a command, with both outputs and the exit code", () -> {
      // It waits for a line: this client cannot be asked for its outputs once the command has ended.
      Process process = exec(client, "read line; echo out; echo err >&2; exit 3");
      InputStream out = process.getInputStream();
      InputStream err = process.getErrorStream();
      write(process, "go\n");
      return Checks.saw(codeOf(process), text(out), text(err));
    });
    checks.check("official: writes to a command", () -> {
      Process process = exec(client, "head -n 1");
      InputStream out = process.getInputStream();
      write(process, "first\nsecond\n");
      return Checks.saw(codeOf(process), text(out));
    });
    checks.check("official: forwards a port", () -> {
      PortForward.PortForwardResult forward = new PortForward(client).forward("default", "talker", List.of(8080));
      InputStream answer = forward.getInputStream(8080);
      forward.getOutboundStream(8080).write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer))) {
        return Checks.saw(lines.readLine());
      }
    });
  }

  private static Process exec(ApiClient client, String script) throws Exception {
    return new Exec(client).exec("default", "talker", new String[] {"sh", "-c", script}, true);
  }

  private static void write(Process process, String text) throws Exception {
    process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  private static int codeOf(Process process) throws Exception {
    Checks.expect(process.waitFor(30, TimeUnit.SECONDS), "the end of the command");
    return process.exitValue();
  }

  private static String text(InputStream stream) throws Exception {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }
}
