package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// hooks is where the program's webhooks listen, and how a server trusts them.
type hooks struct {
	port   int
	holder net.PacketConn
	folder string
	pem    []byte
}

// newHooks makes a certificate that is its own authority, for the loopback address.
func newHooks() (*hooks, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "webhooks"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	keyDer, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "webhooks-")
	if err != nil {
		return nil, err
	}
	made := &hooks{folder: folder, pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
	keyPem := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDer})
	if err := os.WriteFile(filepath.Join(folder, "tls.crt"), made.pem, 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "tls.key"), keyPem, 0o600); err != nil {
		return nil, err
	}
	made.port, made.holder, err = freePort()
	return made, err
}

// freePort is below the ports that a system gives to sockets which ask for any: until the webhooks listen there, no connection is given it.
// The UDP socket of the same number holds it against the other processes of the tests, as in src/testing/cluster/control-plane/free-ports.ts.
func freePort() (int, net.PacketConn, error) {
	const first, count, tries = 20_000, 10_000, 100
	for range tries {
		port := first + mathrand.IntN(count)
		address := fmt.Sprintf("127.0.0.1:%d", port)
		holder, err := net.ListenPacket("udp4", address)
		if err != nil {
			continue
		}
		if listener, err := net.Listen("tcp", address); err == nil {
			return port, holder, listener.Close()
		}
		holder.Close()
	}
	return 0, nil, fmt.Errorf("%d ports from %d to %d are taken", tries, first, first+count-1)
}

func (made *hooks) url(path string) *string {
	return ptr.To(fmt.Sprintf("https://127.0.0.1:%d%s", made.port, path))
}

func (made *hooks) server() webhook.Server {
	return webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: made.port, CertDir: made.folder})
}

func (made *hooks) remove() { os.RemoveAll(made.folder) }

// definition is the CRD of two versions, converted by the program.
func (made *hooks) definition() *apiextensionsv1.CustomResourceDefinition {
	definition := widgetDefinition("")
	definition.Spec.Versions = append(definition.Spec.Versions, widgetVersion("v1alpha1", false, apiextensionsv1.JSONSchemaProps{Type: "string"}))
	definition.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"},
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: made.url("/convert"), CABundle: made.pem},
		},
	}
	return definition
}

// install registers the admission webhooks for one namespace.
func (made *hooks) install(ctx context.Context, writer client.Client, namespace string) error {
	rules := []admissionregistrationv1.RuleWithOperations{{
		Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update, admissionregistrationv1.Delete},
		Rule:       admissionregistrationv1.Rule{APIGroups: []string{widgetGroup}, APIVersions: []string{"v1"}, Resources: []string{"widgets"}},
	}}
	here := &metav1.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": namespace}}
	called := func(path string) admissionregistrationv1.WebhookClientConfig {
		return admissionregistrationv1.WebhookClientConfig{URL: made.url(path), CABundle: made.pem}
	}
	none := ptr.To(admissionregistrationv1.SideEffectClassNone)
	mutating := &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: namespace},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name: "default.widgets." + widgetGroup, ClientConfig: called("/mutate-go-keelson-test-v1-widget"), Rules: rules[:1],
			NamespaceSelector: here, SideEffects: none, AdmissionReviewVersions: []string{"v1"},
		}},
	}
	validating := &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: namespace},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name: "validate.widgets." + widgetGroup, ClientConfig: called("/validate-go-keelson-test-v1-widget"), Rules: rules,
			NamespaceSelector: here, SideEffects: none, AdmissionReviewVersions: []string{"v1"},
		}},
	}
	if err := writer.Create(ctx, mutating); err != nil {
		return err
	}
	return writer.Create(ctx, validating)
}

// widgetRules defaults and judges widgets.
type widgetRules struct{}

func (widgetRules) Default(_ context.Context, object runtime.Object) error {
	widget := object.(*Widget)
	if widget.Spec.Replicas == nil {
		widget.Spec.Replicas = ptr.To(int32(1))
	}
	if widget.Spec.Color == "" {
		widget.Spec.Color = "grey"
	}
	return nil
}

func (widgetRules) ValidateCreate(_ context.Context, object runtime.Object) (admission.Warnings, error) {
	widget := object.(*Widget)
	if widget.Spec.Color == "black" {
		return admission.Warnings{"black is hard to see"}, nil
	}
	if *widget.Spec.Replicas > 100 {
		return nil, fmt.Errorf("%d replicas are too many", *widget.Spec.Replicas)
	}
	return nil, nil
}

func (rules widgetRules) ValidateUpdate(ctx context.Context, before, object runtime.Object) (admission.Warnings, error) {
	if before.(*Widget).Spec.Image != object.(*Widget).Spec.Image {
		return nil, fmt.Errorf("the image cannot change")
	}
	return rules.ValidateCreate(ctx, object)
}

func (widgetRules) ValidateDelete(_ context.Context, object runtime.Object) (admission.Warnings, error) {
	if object.(*Widget).Spec.Color == "gold" {
		return nil, fmt.Errorf("gold is kept")
	}
	return nil, nil
}
