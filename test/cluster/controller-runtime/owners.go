package main

import (
	"context"
	"errors"
	"fmt"
	"sort"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// family makes an owner, and a Secret that it controls, and waits until the garbage collector knows both.
func family(ctx context.Context, writer client.Client, namespace, name string) (*corev1.ConfigMap, *corev1.Secret, error) {
	owner := configMap(namespace, name, nil)
	if err := writer.Create(ctx, owner); err != nil {
		return nil, nil, err
	}
	owned, err := ownedSecret(ctx, writer, owner, name)
	if err != nil {
		return nil, nil, err
	}
	return owner, owned, collectorSeesSecrets(ctx, writer, namespace, name)
}

func ownedSecret(ctx context.Context, writer client.Client, owner client.Object, name string) (*corev1.Secret, error) {
	owned := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: owner.GetNamespace(), Name: name}}
	if err := controllerutil.SetControllerReference(owner, owned, scheme); err != nil {
		return nil, err
	}
	return owned, writer.Create(ctx, owned)
}

// collectorSeesSecrets waits until the garbage collector has seen each Secret that was made before.
// It looks at the Secrets in their order, so it has seen them once it deletes a later one whose owner never was.
// Without the wait, an owner that is deleted at once may go before the collector knows what it owns: with policy Orphan, what is owned then goes too.
func collectorSeesSecrets(ctx context.Context, writer client.Client, namespace, name string) error {
	neverMade := configMap(namespace, name+"-never-made", nil)
	neverMade.UID = uuid.NewUUID()
	last, err := ownedSecret(ctx, writer, neverMade, name+"-last")
	if err != nil {
		return err
	}
	return until(ctx, "the garbage collector to delete a Secret whose owner never was", gone(writer, last))
}

func ownerChecks(ctx context.Context, t *checks) error {
	writer, err := t.client()
	if err != nil {
		return err
	}
	for _, policy := range []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground} {
		t.check(ctx, string(policy)+" deletion takes what is owned along", func(ctx context.Context) error {
			owner, owned, err := family(ctx, writer, t.namespace(), fmt.Sprintf("goes-%d", len(policy)))
			if err != nil {
				return err
			}
			if err := writer.Delete(ctx, owner, client.PropagationPolicy(policy)); err != nil {
				return err
			}
			return errors.Join(until(ctx, "the owned object to be gone", gone(writer, owned)), until(ctx, "the owner to be gone", gone(writer, owner)))
		})
	}
	t.check(ctx, "Orphan deletion leaves what was owned, without its owner", func(ctx context.Context) error {
		owner, owned, err := family(ctx, writer, t.namespace(), "orphans")
		if err != nil {
			return err
		}
		if err := writer.Delete(ctx, owner, client.PropagationPolicy(metav1.DeletePropagationOrphan)); err != nil {
			return err
		}
		if err := until(ctx, "the owner to be gone", gone(writer, owner)); err != nil {
			return err
		}
		if err := writer.Get(ctx, client.ObjectKeyFromObject(owned), owned); err != nil {
			return err
		}
		t.see("%d owners", len(owned.OwnerReferences))
		return nil
	})
	t.check(ctx, "an owner that blocks waits for a finalizer of what it owns", func(ctx context.Context) error {
		owner, owned, err := family(ctx, writer, t.namespace(), "blocked")
		if err != nil {
			return err
		}
		controllerutil.AddFinalizer(owned, finalizer)
		if err := writer.Update(ctx, owned); err != nil {
			return err
		}
		if err := writer.Delete(ctx, owner, client.PropagationPolicy(metav1.DeletePropagationForeground)); err != nil {
			return err
		}
		if err := until(ctx, "the deletion of what is owned", func(ctx context.Context) (bool, error) {
			err := writer.Get(ctx, client.ObjectKeyFromObject(owned), owned)
			return !owned.DeletionTimestamp.IsZero(), err
		}); err != nil {
			return err
		}
		if err := writer.Get(ctx, client.ObjectKeyFromObject(owner), owner); err != nil {
			return err
		}
		t.see("owner %v, owned %v", owner.Finalizers, owned.Finalizers)
		controllerutil.RemoveFinalizer(owned, finalizer)
		if err := writer.Update(ctx, owned); err != nil {
			return err
		}
		return until(ctx, "the owner to be gone", gone(writer, owner))
	})
	return nil
}

func namespaceChecks(ctx context.Context, t *checks) error {
	writer, err := t.client()
	if err != nil {
		return err
	}
	t.check(ctx, "a namespace gets its service account and the server's certificate", func(ctx context.Context) error {
		for _, object := range []client.Object{
			&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace(), Name: "default"}},
			configMap(t.namespace(), "kube-root-ca.crt", nil),
		} {
			if err := until(ctx, object.GetName(), func(ctx context.Context) (bool, error) {
				err := writer.Get(ctx, client.ObjectKeyFromObject(object), object)
				return err == nil, client.IgnoreNotFound(err)
			}); err != nil {
				return err
			}
		}
		return nil
	})
	held := configMap(t.namespace(), "held", nil)
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: t.namespace()}}
	t.check(ctx, "a namespace that ends says what holds it, and lets nothing in", func(ctx context.Context) error {
		held.Finalizers = []string{finalizer}
		if err := writer.Create(ctx, held); err != nil {
			return err
		}
		if err := writer.Delete(ctx, space); err != nil {
			return err
		}
		if err := until(ctx, "the conditions of the namespace", func(ctx context.Context) (bool, error) {
			err := writer.Get(ctx, client.ObjectKeyFromObject(space), space)
			return len(space.Status.Conditions) == 5, err
		}); err != nil {
			return err
		}
		for _, condition := range space.Status.Conditions {
			t.see("%s %s %s %s", condition.Type, condition.Status, condition.Reason, condition.Message)
		}
		sort.Strings(t.saw)
		return t.refused(writer.Create(ctx, configMap(t.namespace(), "late", nil)), apierrors.IsForbidden)
	})
	t.check(ctx, "it is gone when nothing holds it", func(ctx context.Context) error {
		if err := writer.Get(ctx, client.ObjectKeyFromObject(held), held); err != nil {
			return err
		}
		held.Finalizers = nil
		if err := writer.Update(ctx, held); err != nil {
			return err
		}
		return until(ctx, "the namespace to be gone", gone(writer, space))
	})
	return nil
}
