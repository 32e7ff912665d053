/** Requests and a certificate of nobody, made for these stories: the bytes inside their PEM. */
export const EC_REQUEST: string = [
  'MIHgMIGHAgEAMCUxEDAOBgNVBAoMB2V4YW1wbGUxETAPBgNVBAMMCG9wZXJhdG9yMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECYmJFWxhNrj+5YE8tbTk',
  'e6w14CrurvU6fyll/XVG2WtpgO9kQCBDBx1TIVoDlc/1OY/OsTCt9T6BMgKiYaM2PqAAMAoGCCqGSM49BAMCA0gAMEUCIAwOxtPeBFEN7Cw8nEr0ahhm1YKd',
  'eNyIkgilXzTbHrGIAiEA/Mspfos05DcfPoS3klJ7lm2bB/GZafJFBqNvpLuEmb4=',
].join('');

export const ED25519_REQUEST: string = [
  'MIGSMEYCAQAwEzERMA8GA1UEAwwIb3BlcmF0b3IwKjAFBgMrZXADIQA8CkJv9E8F0dObmPe2y2on4Xn97TCFtFWdwkR5vWdKqqAAMAUGAytlcANBAEEn9J+d',
  '9qs43vFA7D7WWk53Z6XvIVIWT9717B3ViilhSYVGtBTfIBnEF0iTpf9KIRXeNy4/D8AEVBExGNt3egQ=',
].join('');

export const RSA_REQUEST: string = [
  'MIIBUjCBvAIBADATMREwDwYDVQQDDAhvcGVyYXRvcjCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEAsr+fsO/RQs1uwH3BT89ZtXfuP4cWnp1WBAjIa3gk',
  'CLSFk9PdXQIt0Pcjz35yopkSTg+zc+SGEWv0IW2H8O2s9DV9mOSGoPOA9TlalAwoU/Z2734QQArqrgJ2Zr5/E4KHHMQ1Jrmb53eNIm5A4Ozj6r+Mu/J9+kJa',
  'QIFEzDgcnZ0CAwEAAaAAMA0GCSqGSIb3DQEBCwUAA4GBAICilTTULS7SiQnwoWm/UDGPk6RIkRibOulOZ0EiL50PwXEthakDTVvDQMlR8bClJ8XMszZdjM2u',
  'OcxMqR783Ft+mpAu2X0EcIWVwSYRfDsgF18BKWSsch+mbapYP66E8t+PqwBhZM0NsGRiVvVyHqtkub9ayKRPCUTu0jDwbnuy',
].join('');

export const CERTIFICATE: string = [
  'MIIBfjCCASOgAwIBAgIUMBLpuNffpvKq8RMQGFBanu6NIMgwCgYIKoZIzj0EAwIwEzERMA8GA1UEAwwIb3BlcmF0b3IwIBcNMjYxMTIxMDk1NjQyWhgPMjEy',
  'NjEwMjgwOTU2NDJaMBMxETAPBgNVBAMMCG9wZXJhdG9yMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECYmJFWxhNrj+5YE8tbTke6w14CrurvU6fyll/XVG',
  '2WtpgO9kQCBDBx1TIVoDlc/1OY/OsTCt9T6BMgKiYaM2PqNTMFEwHQYDVR0OBBYEFBDojJAOK8YM/pXbU+uQpVYXIzQHMB8GA1UdIwQYMBaAFBDojJAOK8YM',
  '/pXbU+uQpVYXIzQHMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhANSt5Nz3OY+CJHjfcil5NadaenXXrfcznuLCermdsvuuAiEAv+hnL/k8',
  'Mp4RBvpC5zk5PhdyFgWvjYkYK9hs8qGrOIo=',
].join('');

/** As the fields of a CertificateSigningRequest have it: base64 of PEM. */
export function pemField(type: string, body: string): string {
  const lines = body.match(/.{1,64}/g) ?? [];
  return Buffer.from(`-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`).toString('base64');
}

/** The same bytes but for the last one of the signature. */
export function tampered(body: string): string {
  const bytes = Buffer.from(body, 'base64');
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  return bytes.toString('base64');
}
