import io.kubernetes.client.Discovery;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.kubectl.Kubectl;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Yaml;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.KubernetesApiResponse;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.ListOptions;
import com.google.gson.JsonObject;
import com.google.gson.reflect.TypeToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import okhttp3.Call;

/** What an operator by the official Java client asks a server: HTTP/2 by OkHttp, JSON and protobuf. */
final class Official {
  private static final String NAMESPACE = "official";

  private final Checks checks;
  private final ApiClient client;
  private final CoreV1Api core;

  private Official(Checks checks, ApiClient client) {
    this.checks = checks;
    this.client = client;
    this.core = new CoreV1Api(client);
  }

  static void runAll(Checks checks, String kubeconfig) throws Exception {
    new Official(checks, clientOf(kubeconfig)).run();
  }

  static ApiClient clientOf(String kubeconfig) throws Exception {
    ApiClient client = Config.fromConfig(kubeconfig);
    // A watch is open for as long as it likes.
    client.setReadTimeout(0);
    return client;
  }

  private void check(String name, Checks.Body body) {
    checks.check("official: " + name, body);
  }

  private void run() {
    check("makes a namespace", () ->
        Checks.saw(core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(NAMESPACE))).execute().getStatus().getPhase()));
    reads();
    writes();
    watches();
    informers();
    customResources();
    leaders();
  }

  private static V1ConfigMap config(String name, String value) {
    return new V1ConfigMap().metadata(new V1ObjectMeta().name(name).labels(Map.of("app", "java"))).data(Map.of("a", value));
  }

  private V1ConfigMap create(String name, String value) throws ApiException {
    return core.createNamespacedConfigMap(NAMESPACE, config(name, value)).execute();
  }

  private interface Request {
    void send() throws ApiException;
  }

  static Object[] refusal(Request request) throws Exception {
    try {
      request.send();
    } catch (ApiException error) {
      JsonObject status = new com.google.gson.Gson().fromJson(error.getResponseBody(), JsonObject.class);
      return Checks.saw(error.getCode(), status.get("reason"), status.get("message"));
    }
    throw new AssertionError("expected a refusal");
  }

  private void reads() {
    check("asks for version and resources", () -> {
      List<String> deployments = new Discovery(client).findAll().stream()
          .filter(one -> one.getResourcePlural().equals("deployments"))
          .map(one -> one.getGroup() + " " + one.getVersions() + " " + one.getKind() + " " + one.getNamespaced()).toList();
      return Checks.saw(new VersionApi(client).getCode().execute().getMinor(), deployments);
    });
    check("lists by label and field, and in pages", () -> {
      for (String name : List.of("page-a", "page-b", "page-c")) create(name, "1");
      V1ConfigMapList first = core.listNamespacedConfigMap(NAMESPACE).labelSelector("app=java").limit(2).execute();
      V1ConfigMapList rest = core.listNamespacedConfigMap(NAMESPACE).labelSelector("app=java").limit(2)
          ._continue(first.getMetadata().getContinue()).execute();
      V1ConfigMapList named = core.listNamespacedConfigMap(NAMESPACE).fieldSelector("metadata.name=page-b").execute();
      return Checks.saw(first.getItems().size(), rest.getItems().get(0).getMetadata().getName(), named.getItems().size());
    });
    check("is refused what is missing", () -> refusal(() -> core.readNamespacedConfigMap("missing", NAMESPACE).execute()));
  }

  private V1ConfigMap patch(String name, String format, String text, boolean force) throws ApiException {
    return PatchUtils.patch(V1ConfigMap.class, () -> {
      var request = core.patchNamespacedConfigMap(name, NAMESPACE, new V1Patch(text)).fieldManager("java");
      return (format.equals(V1Patch.PATCH_FORMAT_APPLY_YAML) ? request.force(force) : request).buildCall(null);
    }, format, client);
  }

  private void writes() {
    check("patches in each form", () -> {
      create("patched", "1");
      patch("patched", V1Patch.PATCH_FORMAT_JSON_PATCH, "[{\"op\":\"add\",\"path\":\"/data/json\",\"value\":\"1\"}]", false);
      patch("patched", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"merge\":\"1\",\"a\":null}}", false);
      return Checks.saw(patch("patched", V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"data\":{\"strategic\":\"1\"}}", false).getData());
    });
    check("applies, and sees the conflict", () -> {
      create("applied", "1");
      String text = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"applied\"},\"data\":{\"a\":\"2\"}}";
      Object[] conflict = refusal(() -> patch("applied", V1Patch.PATCH_FORMAT_APPLY_YAML, text, false));
      return Checks.saw(conflict[0], conflict[1], conflict[2], patch("applied", V1Patch.PATCH_FORMAT_APPLY_YAML, text, true).getData());
    });
    check("replaces, but not what is stale", () -> {
      V1ConfigMap stale = create("replaced", "1");
      core.replaceNamespacedConfigMap("replaced", NAMESPACE, config("replaced", "2")).execute();
      return refusal(() -> core.replaceNamespacedConfigMap("replaced", NAMESPACE, stale).execute());
    });
    check("does what kubectl does", () -> {
      V1Deployment web = Yaml.loadAs(
          """
          apiVersion: apps/v1
          kind: Deployment
          metadata: { name: web, namespace: official }
          spec:
            replicas: 1
            selector: { matchLabels: { app: web } }
            template:
              metadata: { labels: { app: web } }
              spec: { containers: [{ name: web, image: 'nginx:1' }] }
          """, V1Deployment.class);
      Kubectl.apply(V1Deployment.class).apiClient(client).resource(web).execute();
      Kubectl.label(V1Deployment.class).apiClient(client).namespace(NAMESPACE).name("web").addLabel("tier", "front").execute();
      Kubectl.scale(V1Deployment.class).apiClient(client).namespace(NAMESPACE).name("web").replicas(2).execute();
      V1Deployment read = new AppsV1Api(client).readNamespacedDeployment("web", NAMESPACE).execute();
      return Checks.saw(read.getSpec().getReplicas(), read.getMetadata().getLabels());
    });
    check("deletes", () -> {
      create("gone", "1");
      Object status = core.deleteNamespacedConfigMap("gone", NAMESPACE).execute().getStatus();
      core.deleteCollectionNamespacedConfigMap(NAMESPACE).labelSelector("app=java").execute();
      return Checks.saw(status, core.listNamespacedConfigMap(NAMESPACE).labelSelector("app=java").execute().getItems().size());
    });
  }

  private void watches() {
    check("watches what is made, changed and deleted", () -> {
      String from = core.listNamespacedConfigMap(NAMESPACE).execute().getMetadata().getResourceVersion();
      Call call = core.listNamespacedConfigMap(NAMESPACE).watch(true).resourceVersion(from).allowWatchBookmarks(true).buildCall(null);
      List<String> seen = new ArrayList<>();
      try (Watch<V1ConfigMap> watch = Watch.createWatch(client, call, new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
        create("watched", "1");
        core.replaceNamespacedConfigMap("watched", NAMESPACE, config("watched", "2")).execute();
        core.deleteNamespacedConfigMap("watched", NAMESPACE).execute();
        while (seen.size() < 3) {
          Watch.Response<V1ConfigMap> event = watch.next();
          if (!"BOOKMARK".equals(event.type)) seen.add(event.type + " " + event.object.getMetadata().getName() + " " + event.object.getData());
        }
      }
      return Checks.saw(seen);
    });
    check("a watch ends when its time is up", () -> {
      Call call = core.listNamespacedConfigMap(NAMESPACE).watch(true).resourceVersion("0").labelSelector("app=none").timeoutSeconds(1).buildCall(null);
      try (Watch<V1ConfigMap> watch = Watch.createWatch(client, call, new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
        return Checks.saw(watch.hasNext());
      }
    });
  }

  private void informers() {
    check("an informer follows", () -> {
      BlockingQueue<String> events = new LinkedBlockingQueue<>();
      SharedInformerFactory factory = new SharedInformerFactory(client);
      SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(
          new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client),
          V1ConfigMap.class, 0, NAMESPACE);
      informer.addEventHandler(new ResourceEventHandler<>() {
        @Override
        public void onAdd(V1ConfigMap map) {
          report("add", map);
        }

        @Override
        public void onUpdate(V1ConfigMap old, V1ConfigMap map) {
          if (!old.getMetadata().getResourceVersion().equals(map.getMetadata().getResourceVersion())) report("update", map);
        }

        @Override
        public void onDelete(V1ConfigMap map, boolean unknown) {
          report("delete", map);
        }

        private void report(String change, V1ConfigMap map) {
          if (map.getMetadata().getName().startsWith("informed")) events.add(change + " " + map.getMetadata().getName());
        }
      });
      create("informed-1", "1");
      factory.startAllRegisteredInformers();
      String added = Checks.next(events, "the first object");
      create("informed-2", "1");
      String second = Checks.next(events, "the second object");
      core.replaceNamespacedConfigMap("informed-2", NAMESPACE, config("informed-2", "2")).execute();
      String updated = Checks.next(events, "the update");
      core.deleteNamespacedConfigMap("informed-1", NAMESPACE).execute();
      String deleted = Checks.next(events, "the deletion");
      boolean synced = informer.hasSynced();
      factory.stopAllRegisteredInformers();
      return Checks.saw(added, second, updated, deleted, synced);
    });
  }

  private void customResources() {
    DynamicKubernetesApi gears = new DynamicKubernetesApi("gears.example.com", "v1", "gears", client);
    // The types of this client write empty lists and maps into a schema, which a server refuses.
    check("installs a CustomResourceDefinition, and uses its kind", () -> {
      String text = Widget.DEFINITION.replace("java.example.com", "gears.example.com").replace("widget", "gear").replace("Widget", "Gear");
      JsonObject definition = client.getJSON().getGson().toJsonTree(Yaml.getSnakeYaml(null).load(text)).getAsJsonObject();
      new DynamicKubernetesApi("apiextensions.k8s.io", "v1", "customresourcedefinitions", client)
          .create(new DynamicKubernetesObject(definition)).throwsApiException();
      Checks.until("the kind is served", () -> gears.list(NAMESPACE).isSuccess());
      DynamicKubernetesObject made = gears.create(gear("one", 2)).throwsApiException().getObject();
      int listed = gears.list(NAMESPACE, new ListOptions()).getObject().getItems().size();
      return Checks.saw(made.getRaw().get("spec"), listed);
    });
    check("writes a status", () -> {
      V1Patch patch = new V1Patch("{\"status\":{\"ready\":2}}");
      JsonObject told = PatchUtils.patch(JsonObject.class, () -> new CustomObjectsApi(client)
          .patchNamespacedCustomObjectStatus("gears.example.com", "v1", NAMESPACE, "gears", "one", patch).buildCall(null),
          V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, client);
      // The helper sends its patch as plain JSON.
      KubernetesApiResponse<DynamicKubernetesObject> helper = gears.updateStatus(gears.get(NAMESPACE, "one").getObject(), one -> Map.of("ready", 3));
      return Checks.saw(told.get("status"), helper.getHttpStatusCode(), helper.getStatus() == null ? "" : helper.getStatus().getMessage());
    });
    check("is refused what its schema forbids", () -> {
      V1Status status = gears.create(gear("two", 0)).getStatus();
      return Checks.saw(status.getCode(), status.getReason(), status.getMessage());
    });
  }

  private static DynamicKubernetesObject gear(String name, int size) {
    DynamicKubernetesObject gear = new DynamicKubernetesObject();
    gear.setApiVersion("gears.example.com/v1");
    gear.setKind("Gear");
    gear.setMetadata(new V1ObjectMeta().name(name).namespace(NAMESPACE));
    JsonObject spec = new JsonObject();
    spec.addProperty("size", size);
    gear.getRaw().add("spec", spec);
    return gear;
  }

  private void leaders() {
    check("elects a leader by a Lease, and the next one after it", () -> {
      BlockingQueue<String> events = new LinkedBlockingQueue<>();
      LeaderElector first = candidate("first", events);
      String started = Checks.next(events, "the first leader");
      LeaderElector second = candidate("second", events);
      first.close();
      Checks.until("the second candidate leads", () -> events.contains("second leads"));
      String holder = new LeaseLock(NAMESPACE, "leader", "reader", client).get().getHolderIdentity();
      second.close();
      return Checks.saw(started, holder);
    });
  }

  private LeaderElector candidate(String name, BlockingQueue<String> events) {
    LeaderElectionConfig config = new LeaderElectionConfig(
        new LeaseLock(NAMESPACE, "leader", name, client), Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(200));
    LeaderElector elector = new LeaderElector(config);
    Thread thread = new Thread(() -> elector.run(() -> events.add(name + " leads"), () -> events.add(name + " stops")));
    thread.setDaemon(true);
    thread.start();
    return elector;
  }
}
