import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource as an operator of the Java Operator SDK declares it. */
@Group("java.example.com")
@Version("v1")
public class Widget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {
  public static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: widgets.java.example.com }
      spec:
        group: java.example.com
        scope: Namespaced
        names: { kind: Widget, listKind: WidgetList, plural: widgets, singular: widget }
        versions:
          - name: v1
            served: true
            storage: true
            subresources: { status: {} }
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      size: { type: integer, minimum: 1, default: 3 }
                      color: { type: string }
                  status:
                    type: object
                    properties:
                      ready: { type: integer }
      """;

  public static class Spec {
    public Integer size;
    public String color;
  }

  public static class Status {
    public Integer ready;
  }
}
