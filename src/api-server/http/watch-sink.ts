import type { ServerResponse } from 'node:http';

/** The connection that a watch writes its frames to: an HTTP answer or a WebSocket. */
export interface WatchSink {
  /** Bytes that the client has not taken yet. */
  readonly waiting: number;
  /** Calls `listener` when the client has gone or the answer has ended. */
  onClose(listener: () => void): void;
  /** Sends frames of one event each. @returns undefined if the client takes more at once; else settles when it does, or has gone */
  send(frames: readonly Buffer[]): Promise<void> | undefined;
  /** Ends in good order. */
  end(): void;
  /** Breaks the connection. */
  cut(): void;
  /** Breaks the connection in the middle of `frame`, so that the client cannot take the end for a good one. */
  cutWithin(frame: Buffer): void;
}

/** An HTTP answer whose head has been sent: one frame after the other. */
export class ResponseSink implements WatchSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get waiting(): number {
    return this.#response.writableLength;
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  send(frames: readonly Buffer[]): Promise<void> | undefined {
    const [first = Buffer.alloc(0)] = frames;
    return this.#response.write(frames.length === 1 ? first : Buffer.concat(frames)) ? undefined : this.#drained();
  }

  end(): void {
    this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }

  cutWithin(frame: Buffer): void {
    this.#response.write(frame.subarray(0, frame.length / 2), () => this.#response.destroy());
  }

  #drained(): Promise<void> {
    const response = this.#response;
    return new Promise((resolve) => {
      const done = (): void => {
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  }
}
