import io.kubernetes.client.Exec;
import io.kubernetes.client.PodLogs;
import io.kubernetes.client.PortForward;
import io.kubernetes.client.openapi.ApiClient;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

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
    checks.check("official: runs a command, with both outputs and the exit code", () -> withCode(() -> {
      // It waits for a line: this client cannot be asked for its outputs once the command has ended.
      Process process = exec(client, "read line; echo out; echo err >&2; exit 3");
      InputStream out = process.getInputStream();
      InputStream err = process.getErrorStream();
      write(process, "go\n");
      return Checks.saw(codeOf(process), text(out), text(err));
    }));
    checks.check("official: writes to a command", () -> withCode(() -> {
      Process process = exec(client, "head -n 1");
      InputStream out = process.getInputStream();
      write(process, "first\nsecond\n");
      return Checks.saw(codeOf(process), text(out));
    }));
    checks.check("official: forwards a port", () -> {
      PortForward.PortForwardResult forward = new PortForward(client).forward("default", "talker", List.of(8080));
      InputStream answer = forward.getInputStream(8080);
      forward.getOutboundStream(8080).write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer))) {
        return Checks.saw(lines.readLine());
      }
    });
  }

  /** The command has ended, and the client forgot the exit code that it had been sent. */
  private static final class LostCode extends Exception {}

  /** The exit code of this client for a connection that failed. Source: {@code Exec} of client-java 25. */
  private static final int CONNECTION_FAILED = -1975219;

  /** The failure of the last command's connection. */
  private static final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * Runs a check again where the client lost the exit code, five times at most. The client loses 4 in 1,000: it answers the status by a Close frame. The server's own Close
   * frame comes right behind the status, as from a kubelet. Where the client reads that before its own is written, OkHttp fails, and the failure takes the place of the code.
   */
  private static Object[] withCode(Checks.Body body) throws Exception {
    for (int left = 4; ; left -= 1) {
      try {
        return body.run();
      } catch (LostCode lost) {
        if (left == 0) throw lost;
      }
    }
  }

  private static Process exec(ApiClient client, String script) throws Exception {
    failure.set(null);
    return new Exec(client).newExecutionBuilder("default", "talker", new String[] {"sh", "-c", script})
        .setStdin(true).setStdout(true).setStderr(true).setOnUnhandledError(failure::set).execute();
  }

  private static boolean isOfWritingClose(Throwable error) {
    return Arrays.stream(error.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("writeClose"));
  }

  private static void write(Process process, String text) throws Exception {
    process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  private static int codeOf(Process process) throws Exception {
    Checks.expect(process.waitFor(30, TimeUnit.SECONDS), "the end of the command");
    int code = process.exitValue();
    if (code == CONNECTION_FAILED && isOfWritingClose(failure.get())) throw new LostCode();
    return code;
  }

  private static String text(InputStream stream) throws Exception {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }
}
