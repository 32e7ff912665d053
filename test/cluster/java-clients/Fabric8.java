import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** What Quarkus and the Java Operator SDK ask a server by fabric8's client: its watches and informers speak WebSocket. */
final class Fabric8 {
  private final Checks checks;
  private final KubernetesClient client;
  private final String namespace;

  private Fabric8(Checks checks, KubernetesClient client, String namespace) {
    this.checks = checks;
    this.client = client;
    this.namespace = namespace;
  }

  static KubernetesClient clientOf(String kubeconfig, HttpClient.Factory http) {
    return new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(new File(kubeconfig))).withHttpClientFactory(http).build();
  }

  /** Vert.x is the default; the JDK's own client speaks HTTP/2. */
  static void runAll(Checks checks, String kubeconfig) {
    Map<String, HttpClient.Factory> clients = Map.of("vertx", new VertxHttpClientFactory(), "jdk", new JdkHttpClientFactory());
    for (String name : List.of("vertx", "jdk")) {
      try (KubernetesClient client = clientOf(kubeconfig, clients.get(name))) {
        new Fabric8(checks, client, "fabric8-" + name).run(name.equals("vertx"));
      }
    }
  }

  private void check(String name, Checks.Body body) {
    checks.check(namespace + ": " + name, body);
  }

  /** @param isWhole both HTTP clients send the same requests: what one of them reads, watches and follows tells them apart */
  private void run(boolean isWhole) {
    check("makes a namespace", () -> {
      client.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build()).create();
      return Checks.saw(client.namespaces().withName(namespace).get().getStatus().getPhase());
    });
    reads();
    watches();
    informers();
    if (!isWhole) return;
    writes();
    customResources();
    leaders();
  }

  private static ConfigMap config(String name, String value) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).addToLabels("app", "java").endMetadata().addToData("a", value).build();
  }

  private ConfigMap create(String name, String value) {
    return client.configMaps().inNamespace(namespace).resource(config(name, value)).create();
  }

  private String valueOf(String name) {
    return String.valueOf(client.configMaps().inNamespace(namespace).withName(name).get().getData());
  }

  /** The refusal of a request, as a caller sees it. */
  static Object[] refusal(Runnable request) {
    try {
      request.run();
    } catch (KubernetesClientException error) {
      Object message = error.getStatus() == null ? error.getMessage() : error.getStatus().getMessage();
      Object reason = error.getStatus() == null ? "no status" : error.getStatus().getReason();
      return Checks.saw(error.getCode(), reason, message);
    }
    throw new AssertionError("expected a refusal");
  }

  private void reads() {
    check("asks for version, groups and resources", () -> Checks.saw(
        client.getKubernetesVersion().getMajor(),
        client.getKubernetesVersion().getMinor(),
        client.hasApiGroup("apps", true),
        client.hasApiGroup("nothing.example.com", true),
        client.supports(Deployment.class)));
    check("lists by label and field, and in pages", () -> {
      for (String name : List.of("page-a", "page-b", "page-c")) create(name, "1");
      var all = client.configMaps().inNamespace(namespace);
      ConfigMapList first = all.list(new ListOptionsBuilder().withLimit(2L).withLabelSelector("app=java").build());
      String token = first.getMetadata().getContinue();
      ConfigMapList rest = all.list(new ListOptionsBuilder().withLimit(2L).withLabelSelector("app=java").withContinue(token).build());
      return Checks.saw(
          first.getItems().size(),
          first.getMetadata().getRemainingItemCount(),
          rest.getItems().stream().map(item -> item.getMetadata().getName()).toList(),
          all.withField("metadata.name", "page-b").list().getItems().size(),
          all.withLabelNotIn("app", "java").list().getItems().size());
    });
    check("gets null for what is missing", () -> Checks.saw(client.configMaps().inNamespace(namespace).withName("missing").get()));
    check("may ask whether it may", () -> Checks.saw(client
        .authorization().v1().selfSubjectAccessReview()
        .create(new SelfSubjectAccessReviewBuilder().withNewSpec().withNewResourceAttributes().withVerb("get").withResource("pods")
            .endResourceAttributes().endSpec().build())
        .getStatus().getAllowed()));
    check("reads the documents", () -> Checks.saw(
        client.raw("/openapi/v3").contains("apis/apps/v1"), client.raw("/healthz"), client.raw("/version").contains("gitVersion")));
  }

  private void writes() {
    var maps = client.configMaps().inNamespace(namespace);
    check("edits, which sends a JSON patch", () -> {
      create("edited", "1");
      maps.withName("edited").edit(map -> new ConfigMapBuilder(map).addToData("b", "2").build());
      return Checks.saw(valueOf("edited"));
    });
    check("patches in each form", () -> {
      create("patched", "1");
      maps.withName("patched").patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"add\",\"path\":\"/data/json\",\"value\":\"1\"}]");
      maps.withName("patched").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"merge\":\"1\",\"a\":null}}");
      maps.withName("patched").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"data\":{\"strategic\":\"1\"}}");
      return Checks.saw(valueOf("patched"));
    });
    check("applies, and sees the conflict", () -> {
      maps.resource(config("applied", "1")).fieldManager("one").serverSideApply();
      Object[] conflict = refusal(() -> maps.resource(config("applied", "2")).fieldManager("two").serverSideApply());
      ConfigMap forced = maps.resource(config("applied", "2")).fieldManager("two").forceConflicts().serverSideApply();
      List<String> managers = forced.getMetadata().getManagedFields().stream().map(Fabric8::managerOf).toList();
      return Checks.saw(conflict[0], conflict[1], conflict[2], forced.getData(), managers);
    });
    check("replaces, but not what is stale", () -> {
      ConfigMap stale = create("replaced", "1");
      maps.resource(new ConfigMapBuilder(stale).addToData("a", "2").build()).update();
      ConfigMap again = new ConfigMapBuilder(stale).addToData("a", "3").build();
      return refusal(() -> maps.resource(again).lockResourceVersion(stale.getMetadata().getResourceVersion()).update());
    });
    check("is refused what is there, and what is invalid", () -> {
      create("twice", "1");
      Object[] there = refusal(() -> create("twice", "1"));
      Object[] invalid = refusal(() -> create("In Valid", "1"));
      return Checks.saw(there[0], there[1], there[2], invalid[0], invalid[1], invalid[2]);
    });
    check("writes for a trial", () -> {
      ConfigMap made = maps.resource(config("trial", "1")).dryRun().create();
      return Checks.saw(made.getMetadata().getUid() != null, maps.withName("trial").get());
    });
    check("scales a Deployment and writes its status", () -> {
      client.apps().deployments().inNamespace(namespace).resource(deployment()).create();
      Deployment scaled = client.apps().deployments().inNamespace(namespace).withName("web").scale(3);
      Deployment told = client.apps().deployments().inNamespace(namespace).withName("web")
          .editStatus(item -> new DeploymentBuilder(item).withNewStatus().withReplicas(3).withReadyReplicas(2).endStatus().build());
      return Checks.saw(scaled.getSpec().getReplicas(), told.getStatus().getReadyReplicas(), told.getSpec().getReplicas());
    });
    check("sets an image by strategic merge", () -> {
      Deployment updated = client.apps().deployments().inNamespace(namespace).withName("web").rolling().updateImage("nginx:2");
      return Checks.saw(updated.getSpec().getTemplate().getSpec().getContainers().get(0).getImage());
    });
    check("applies a file of several kinds", () -> {
      String text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loaded}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: loaded}\nstringData: {k: v}\n";
      List<HasMetadata> made = client.load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))).inNamespace(namespace).serverSideApply();
      return Checks.saw(made.stream().map(HasMetadata::getKind).toList(), client.secrets().inNamespace(namespace).withName("loaded").get().getData());
    });
    check("deletes one, several, and none", () -> {
      create("gone", "1");
      int deleted = maps.withName("gone").delete().size();
      int missing = maps.withName("gone").delete().size();
      maps.withLabel("app", "java").delete();
      return Checks.saw(deleted, missing, maps.withLabel("app", "java").list().getItems().size());
    });
  }

  private static String managerOf(ManagedFieldsEntry entry) {
    return entry.getManager() + " " + entry.getOperation();
  }

  private static Deployment deployment() {
    Map<String, String> labels = Map.of("app", "web");
    return new DeploymentBuilder().withNewMetadata().withName("web").endMetadata().withNewSpec().withReplicas(1)
        .withNewSelector().withMatchLabels(labels).endSelector()
        .withNewTemplate().withMetadata(new ObjectMetaBuilder().withLabels(labels).build())
        .withNewSpec().addNewContainer().withName("web").withImage("nginx:1").endContainer().endSpec().endTemplate().endSpec().build();
  }

  /** Events and the end of a watch as texts. */
  private static final class Observer implements Watcher<ConfigMap> {
    final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Override
    public void eventReceived(Action action, ConfigMap map) {
      events.add(action + " " + map.getMetadata().getName() + " " + map.getData());
    }

    @Override
    public void onClose(WatcherException error) {
      events.add("closed by " + error.asClientException().getCode());
    }

    @Override
    public void onClose() {
      events.add("closed");
    }
  }

  private void watches() {
    var maps = client.configMaps().inNamespace(namespace);
    check("watches what is made, changed and deleted", () -> {
      Observer observer = new Observer();
      try (Watch watch = maps.withLabel("watched", "yes").watch(observer)) {
        ConfigMap map = new ConfigMapBuilder(config("watched", "1")).editMetadata().addToLabels("watched", "yes").endMetadata().build();
        maps.resource(map).create();
        maps.withName("watched").edit(item -> new ConfigMapBuilder(item).addToData("a", "2").build());
        maps.withName("watched").edit(item -> new ConfigMapBuilder(item).editMetadata().removeFromLabels("watched").endMetadata().build());
        String[] seen = new String[3];
        for (int at = 0; at < seen.length; at++) seen[at] = Checks.next(observer.events, "an event");
        watch.close();
        return Checks.saw(List.of(seen), Checks.next(observer.events, "the end"));
      }
    });
    check("watches from a resourceVersion, and starts with what is there", () -> {
      String before = maps.list().getMetadata().getResourceVersion();
      create("from-here", "1");
      Observer late = new Observer();
      try (Watch watch = maps.watch(new ListOptionsBuilder().withResourceVersion(before).build(), late)) {
        return Checks.saw(Checks.next(late.events, "an event"));
      }
    });
    check("a watch from a resourceVersion that is none is refused", () ->
        refusal(() -> maps.watch(new ListOptionsBuilder().withResourceVersion("nonsense").build(), new Observer()).close()));
    check("waits for a condition", () -> {
      CompletableFuture<ConfigMap> waited = CompletableFuture.supplyAsync(
          () -> maps.withName("awaited").waitUntilCondition(map -> map != null && "2".equals(map.getData().get("a")), 30, java.util.concurrent.TimeUnit.SECONDS));
      create("awaited", "1");
      maps.withName("awaited").edit(item -> new ConfigMapBuilder(item).addToData("a", "2").build());
      return Checks.saw(waited.get().getData());
    });
  }

  private void informers() {
    var maps = client.configMaps().inNamespace(namespace).withLabel("app", "informed");
    check("an informer follows", () -> {
      BlockingQueue<String> events = new LinkedBlockingQueue<>();
      createInformed("first", "1");
      try (SharedIndexInformer<ConfigMap> informer = maps.inform(handler(events))) {
        String added = Checks.next(events, "the first object");
        createInformed("second", "1");
        String second = Checks.next(events, "the second object");
        client.configMaps().inNamespace(namespace).withName("second").edit(item -> new ConfigMapBuilder(item).addToData("a", "2").build());
        String updated = Checks.next(events, "the update");
        client.configMaps().inNamespace(namespace).withName("first").delete();
        String deleted = Checks.next(events, "the deletion");
        return Checks.saw(added, second, updated, deleted, informer.hasSynced(), informer.isWatching(), informer.getStore().listKeys());
      }
    });
  }

  private void createInformed(String name, String value) {
    ConfigMap map = new ConfigMapBuilder(config(name, value)).editMetadata().addToLabels("app", "informed").endMetadata().build();
    client.configMaps().inNamespace(namespace).resource(map).create();
  }

  private static <T extends HasMetadata> ResourceEventHandler<T> handler(BlockingQueue<String> events) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T item) {
        events.add("add " + item.getMetadata().getName());
      }

      @Override
      public void onUpdate(T old, T item) {
        // A watch that starts anew updates what has not changed.
        if (!old.getMetadata().getResourceVersion().equals(item.getMetadata().getResourceVersion())) events.add("update " + item.getMetadata().getName());
      }

      @Override
      public void onDelete(T item, boolean unknown) {
        events.add("delete " + item.getMetadata().getName());
      }
    };
  }

  private void customResources() {
    check("installs a CustomResourceDefinition", () -> {
      var definition = client.apiextensions().v1().customResourceDefinitions().load(new ByteArrayInputStream(Widget.DEFINITION.getBytes(StandardCharsets.UTF_8)));
      definition.serverSideApply();
      var made = definition.waitUntilCondition(
          item -> item != null && item.getStatus() != null && item.getStatus().getConditions() != null
              && item.getStatus().getConditions().stream().anyMatch(one -> "Established".equals(one.getType()) && "True".equals(one.getStatus())),
          30, java.util.concurrent.TimeUnit.SECONDS);
      // Behind the condition by a moment.
      Checks.until("the kind is served", () -> client.supports(Widget.class));
      return Checks.saw(made.getStatus().getAcceptedNames().getKind());
    });
    var widgets = client.resources(Widget.class).inNamespace(namespace);
    check("reads, writes and watches its kind by type", () -> {
      BlockingQueue<String> events = new LinkedBlockingQueue<>();
      try (SharedIndexInformer<Widget> informer = widgets.inform(handler(events))) {
        Widget made = widgets.resource(widget("one", null)).create();
        String added = Checks.next(events, "the widget");
        made.setStatus(new Widget.Status());
        made.getStatus().ready = 2;
        Widget told = widgets.resource(made).updateStatus();
        String updated = Checks.next(events, "its status");
        return Checks.saw(added, updated, made.getSpec().size, told.getStatus().ready, told.getMetadata().getGeneration());
      }
    });
    check("is refused what its schema forbids", () -> refusal(() -> widgets.resource(widget("two", 0)).create()));
    check("reads its kind without a type", () -> {
      var generic = client.genericKubernetesResources("java.example.com/v1", "Widget").inNamespace(namespace);
      GenericKubernetesResource one = generic.withName("one").get();
      return Checks.saw(one.getKind(), one.<Integer>get("spec", "size"), generic.list().getItems().size());
    });
  }

  private static Widget widget(String name, Integer size) {
    Widget widget = new Widget();
    widget.setMetadata(new ObjectMetaBuilder().withName(name).build());
    widget.setSpec(new Widget.Spec());
    widget.getSpec().size = size;
    widget.getSpec().color = "red";
    return widget;
  }

  private void leaders() {
    check("elects a leader by a Lease, and the next one after it", () -> {
      BlockingQueue<String> events = new LinkedBlockingQueue<>();
      CompletableFuture<?> first = candidate("first", events);
      String started = Checks.next(events, "the first leader");
      CompletableFuture<?> second = candidate("second", events);
      String heard = Checks.next(events, "the second candidate hears of the first");
      first.cancel(true);
      BlockingQueue<String> rest = new LinkedBlockingQueue<>();
      Checks.until("the second candidate leads", () -> {
        events.drainTo(rest);
        return rest.contains("second leads");
      });
      Lease lease = client.leases().inNamespace(namespace).withName("leader").get();
      second.cancel(true);
      return Checks.saw(started, heard, lease.getSpec().getHolderIdentity(), lease.getSpec().getLeaseTransitions());
    });
  }

  private CompletableFuture<?> candidate(String name, BlockingQueue<String> events) {
    LeaderCallbacks callbacks = new LeaderCallbacks(
        () -> events.add(name + " leads"),
        () -> events.add(name + " stops"),
        leader -> {
          if (!leader.equals(name)) events.add(name + " hears of " + leader);
        });
    return client.leaderElector()
        .withConfig(new LeaderElectionConfigBuilder()
            .withName("leader").withLock(new LeaseLock(namespace, "leader", name)).withReleaseOnCancel(true)
            .withLeaseDuration(Duration.ofSeconds(15)).withRenewDeadline(Duration.ofSeconds(10)).withRetryPeriod(Duration.ofMillis(200))
            .withLeaderCallbacks(callbacks).build())
        .build().start();
  }
}
