import { Generations } from './generations.js';

/** Bytes of frames that one generation holds. A frame is of use while its event goes out: some megabytes are thousands of events. */
const LIMIT = 8 * 1024 * 1024;

/** Frames of watch events as bytes, by form: a thousand watches of the same form send the same bytes. */
export class CachedFrames {
  readonly #byForm = new Map<string, Generations<Buffer>>();

  /**
   * @param form names the event's type and everything else that the text depends on, beside the object: there are few of them
   * @param textOf makes the frame's text, if no watch has sent it yet
   */
  of(form: string, object: object, textOf: () => string): Buffer {
    let frames = this.#byForm.get(form);
    if (frames === undefined) {
      frames = new Generations(LIMIT, ({ length }) => length);
      this.#byForm.set(form, frames);
    }
    return frames.of(object, () => Buffer.from(textOf()));
  }
}
