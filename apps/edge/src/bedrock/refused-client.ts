import { KickExchange } from "@palisade/minecraft-protocol/bedrock/kick-exchange";
import { encodeOpenReply2 } from "@palisade/minecraft-protocol/bedrock/offline-messages";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import type { Expiring } from "@palisade/sockets/timer-wheel";
import type { SessionHome } from "./session-home.ts";
import { edgeGuid } from "./ping-answers.ts";

/** The game gets this long to read why it is refused; what it may have missed is sent again. */
const lifeMs = 8_000;
const resendMs = 500;

export interface RefusedClientOptions {
  /** In the port's table. */
  readonly number: number;
  readonly client: Endpoint;
  readonly mtu: number;
  /** May have § codes. */
  readonly message: string;
  readonly onEnd: () => void;
}

/** A client that is let in only to be shown why it is refused. No backend hears of it. */
export class RefusedClient implements Expiring {
  readonly #port: SessionHome;
  readonly #options: RefusedClientOptions;
  readonly #exchange: KickExchange;
  readonly #endAtMs: number;
  /** The client has sent a datagram of its connection. */
  hasBegun = false;
  place: Expiring["place"] = undefined;

  constructor(port: SessionHome, options: RefusedClientOptions) {
    this.#port = port;
    this.#options = options;
    this.#exchange = new KickExchange(options);
    this.#endAtMs = port.deps.monotonicMs() + lifeMs;
    port.deps.wheel.schedule(this, resendMs);
  }

  /** @param datagram of its connection */
  receive(datagram: Buffer): void {
    this.hasBegun = true;
    this.#send(this.#exchange.receive(datagram));
    if (this.#exchange.isDone) this.end();
  }

  expire(): void {
    const { wheel, monotonicMs } = this.#port.deps;
    if (this.#exchange.isDone || monotonicMs() >= this.#endAtMs) {
      this.end();
      return;
    }
    this.#send(this.#exchange.resend());
    wheel.schedule(this, resendMs);
  }

  isOpenedBy(): boolean {
    return !this.hasBegun;
  }

  answerAgain(): void {
    const { client, mtu, number } = this.#options;
    this.#port.send(number, encodeOpenReply2({ guid: edgeGuid, client, mtu }));
  }

  end(): undefined {
    this.#port.deps.wheel.cancel(this);
    this.#port.forget(this.#options.number);
    this.#options.onEnd();
  }

  #send(datagrams: readonly Buffer[]): void {
    for (const datagram of datagrams) this.#port.send(this.#options.number, datagram);
  }
}
