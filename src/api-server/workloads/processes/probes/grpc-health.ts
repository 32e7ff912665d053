import { connect } from 'node:http2';
import type { Answer } from './answer.js';

export interface GrpcQuestion {
  readonly host: string;
  readonly port: number;
  /** `''`: the server as a whole. */
  readonly service: string;
  readonly timeoutMs: number;
}

/** `HealthCheckResponse.status`. Source: grpc `health/v1/health.proto`. */
const STATUSES: Readonly<Record<number, string>> = { 0: 'UNKNOWN', 1: 'SERVING', 2: 'NOT_SERVING', 3: 'SERVICE_UNKNOWN' };

/** The head of a message, the number of its first field, and a status below 128. A program may send more without an end: it is not kept. */
const READ_BYTES = 7;

/** Calls `grpc.health.v1.Health/Check`, without TLS, as the kubelet does. */
export function askGrpc({ host, port, service, timeoutMs }: GrpcQuestion): Promise<Answer> {
  return new Promise((resolve) => {
    const session = connect(`http://${host}:${port}`);
    const end = (answer: Answer): void => {
      clearTimeout(limit);
      session.destroy();
      resolve(answer);
    };
    const limit = setTimeout(
      () => end({ isSuccess: false, text: 'timeout: failed to connect service: context deadline exceeded' }),
      timeoutMs,
    );
    session.once('error', (error: Error) => end({ isSuccess: false, text: error.message }));
    const call = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let body: Buffer = Buffer.alloc(0);
    let grpcStatus = '';
    const note = (headers: Readonly<Record<string, unknown>>): void => {
      grpcStatus = String(headers['grpc-status'] ?? grpcStatus);
    };
    call.on('response', note);
    call.on('trailers', note);
    call.on('data', (chunk: Buffer) => {
      if (body.length < READ_BYTES) body = Buffer.concat([body, chunk]);
    });
    call.once('error', (error: Error) => end({ isSuccess: false, text: error.message }));
    call.once('end', () => end(answerOf(body, grpcStatus)));
    call.end(framed(question(service)));
  });
}

/** `HealthCheckRequest{service}`: field 1, a text. */
function question(service: string): Buffer {
  const text = Buffer.from(service);
  return text.length === 0 ? text : Buffer.concat([Buffer.from([0x0a, ...varint(text.length)]), text]);
}

function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

/** `HealthCheckResponse{status}`: field 1, a number. A message without it says 0. */
function answerOf(body: Buffer, grpcStatus: string): Answer {
  if (grpcStatus !== '' && grpcStatus !== '0') return { isSuccess: false, text: `error: health rpc failed: code ${grpcStatus}` };
  const status = body[5] === 0x08 ? (body[6] ?? 0) : 0;
  const isSuccess = body.length >= 5 && STATUSES[status] === 'SERVING';
  return { isSuccess, text: isSuccess ? '' : `service unhealthy (responded with "${STATUSES[status] ?? status}")` };
}
