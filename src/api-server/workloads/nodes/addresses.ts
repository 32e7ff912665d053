/** Addresses of one /16 network, each given once until it is given back. */
export class Addresses {
  readonly #network: string;
  readonly #given = new Map<string, number>();
  readonly #used = new Set<number>();
  readonly #last: number;
  #next = 2;

  /**
   * @param network the first two numbers, for example `10.244`
   * @param options `last`: the last number that is given, default that before the broadcast address
   */
  constructor(network: string, { last = LAST }: { readonly last?: number } = {}) {
    this.#network = network;
    this.#last = last;
  }

  /** The address of this owner. @throws RangeError when all 65,000 are taken */
  of(owner: string): string {
    const number = this.#given.get(owner) ?? this.#take(owner);
    return `${this.#network}.${Math.floor(number / 256)}.${number % 256}`;
  }

  release(owner: string): void {
    const number = this.#given.get(owner);
    if (number === undefined) return;
    this.#given.delete(owner);
    this.#used.delete(number);
  }

  /** The next one that is free, not the lowest: an address that was just given back is not at once given to another owner. */
  #take(owner: string): number {
    if (this.#used.size >= this.#last - 1) throw new RangeError(`all addresses of ${this.#network}.0.0/16 are taken`);
    while (this.#used.has(this.#next)) this.#advance();
    const number = this.#next;
    this.#given.set(owner, number);
    this.#used.add(number);
    this.#advance();
    return number;
  }

  #advance(): void {
    this.#next = this.#next >= this.#last ? 2 : this.#next + 1;
  }
}

const LAST = 65_534;
