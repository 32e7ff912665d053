import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** The results of all checks, in the order in which they ran. */
final class Checks {
  private static final int PATIENCE_SECONDS = 30;

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Result(String name, boolean passed, String error, List<String> saw) {}

  interface Body {
    /** What the check saw; it must be the same on each server, so no times, uids and resourceVersions. */
    Object[] run() throws Exception;
  }

  private final List<Result> results = new ArrayList<>();

  void check(String name, Body body) {
    try {
      results.add(new Result(name, true, null, Arrays.stream(body.run()).map(String::valueOf).toList()));
    } catch (Exception | AssertionError error) {
      results.add(new Result(name, false, error.toString(), null));
    }
  }

  String toJson() throws Exception {
    return new ObjectMapper().writeValueAsString(results);
  }

  static Object[] saw(Object... values) {
    return values;
  }

  static void expect(boolean holds, String what) {
    if (!holds) throw new AssertionError("expected " + what);
  }

  /** The next thing of a queue; an error after 30 seconds. */
  static <T> T next(BlockingQueue<T> queue, String what) throws InterruptedException {
    T item = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    expect(item != null, what + " within " + PATIENCE_SECONDS + " s");
    return item;
  }

  /** Waits for a condition that nothing announces; an error after 30 seconds. */
  static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.call()) {
      expect(System.nanoTime() < deadline, what + " within " + PATIENCE_SECONDS + " s");
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
