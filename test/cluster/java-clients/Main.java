import java.util.Arrays;
import java.util.List;

/** `Main KUBECONFIG SUITE ...`: runs suites of checks one after the other, writes their results as JSON, and ends with 0 whatever they found. */
public final class Main {
  public static void main(String[] arguments) throws Exception {
    Checks checks = new Checks();
    List<String> suites = Arrays.asList(arguments).subList(1, arguments.length);
    for (String suite : suites) {
      switch (suite) {
        case "fabric8" -> Fabric8.runAll(checks, arguments[0]);
        case "official" -> Official.runAll(checks, arguments[0]);
        case "fabric8-pods" -> Fabric8Pods.runAll(checks, arguments[0]);
        case "official-pods" -> OfficialPods.runAll(checks, arguments[0]);
        default -> throw new IllegalArgumentException(suite + " is not a suite");
      }
    }
    System.out.println(checks.toJson());
    System.out.flush();
    // Threads of the clients must not keep the process alive.
    System.exit(0);
  }
}
