import { RakNetClient } from "../../../packages/testing/src/bedrock/raknet-client.ts";
import { RakNetServer } from "../../../packages/testing/src/bedrock/raknet-server.ts";
import { addressText } from "../../../packages/testing/src/bedrock/udp-socket.ts";

/**
 * RakNet for bedrock-protocol, with the shape of the classes in its src/rak.js. Its own choices do not
 * serve: raknet-node answers no cookie and sends a false advertisement, raknet-native is compiled for
 * half a minute, jsp-raknet crashes.
 */

const nothing = () => undefined;

export class ClientBackend {
  connected = false;
  onConnected = nothing;
  onCloseConnection = nothing;
  onEncapsulated = nothing;
  /** Not of the library: the connection could not be opened. */
  onFailure = nothing;
  #options;
  #client;
  #isClosed = false;

  /** @param options of RakNetClient */
  constructor(options) {
    this.#options = options;
  }

  /** For the answer of a join. */
  get facts() {
    const { address, cookies, connection } = this.#client;
    return { source: address, cookies: cookies.length, mtu: connection.mtu };
  }

  async connect() {
    try {
      this.#client = await RakNetClient.open(this.#options);
      this.#client.on("message", (body) => this.onEncapsulated({ buffer: body }, ""));
      this.#client.on("close", (reason) => {
        if (this.#isClosed) return;
        this.connected = false;
        this.onCloseConnection(reason);
      });
      await this.#client.connect();
    } catch (error) {
      await this.close();
      this.onFailure(error);
      return;
    }
    this.connected = true;
    this.onConnected();
  }

  sendReliable(body) {
    if (this.connected) this.#client.sendReliable(body);
  }

  async close() {
    this.connected = false;
    this.#isClosed = true;
    await this.#client?.close();
  }

  /** Ends without a word. */
  async abandon() {
    this.connected = false;
    this.#isClosed = true;
    await this.#client?.abandon();
  }
}

/** @param options of RakNetServer, besides those that the library gives */
export function serverBackend(options) {
  return class {
    onOpenConnection = nothing;
    onCloseConnection = nothing;
    onEncapsulated = nothing;
    onClose = nothing;
    raknet;
    #game;
    #listenAt;

    constructor({ host, port, maxPlayers }, game) {
      this.#game = game;
      this.#listenAt = { host, port, connectionsMax: maxPlayers };
    }

    async listen() {
      const advertisement = this.#advertisement();
      this.raknet = await RakNetServer.listen({ ...options, ...this.#listenAt, advertisement });
      this.raknet.on("connection", (peer) => this.#open(peer));
    }

    #open(peer) {
      const address = addressText(peer.address);
      const connection = {
        address,
        sendReliable: (body) => peer.sendReliable(body),
        close: () => peer.close(),
      };
      peer.on("message", (body) => this.onEncapsulated(body, address));
      peer.on("close", (reason) => this.onCloseConnection(connection, reason));
      this.onOpenConnection(connection);
    }

    updateAdvertisement() {
      this.raknet.advertisement = this.#advertisement();
    }

    #advertisement() {
      return this.#game.getAdvertisement().toString();
    }

    close() {
      return this.raknet.close();
    }
  };
}
