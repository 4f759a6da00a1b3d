import { encodeAdvertisement } from "@palisade/minecraft-protocol/bedrock/advertisement";
import {
  encodeConnectedPing,
  encodeConnectedPong,
  encodeConnectionAccepted,
  encodeConnectionRequest,
  encodeDisconnect,
  encodeNewIncomingConnection,
} from "@palisade/minecraft-protocol/bedrock/connected-messages";
import {
  encodeAcknowledgement,
  encodeFrameSet,
  type Frame,
  reliabilities,
} from "@palisade/minecraft-protocol/bedrock/frames";
import { encodeBatch, encodePlainBatch } from "@palisade/minecraft-protocol/bedrock/game-batch";
import {
  encodeKick,
  encodeLogin,
  encodeSettingsRequest,
} from "@palisade/minecraft-protocol/bedrock/game-packets";
import {
  encodeIncompatibleProtocol,
  encodeOpenReply1,
  encodeOpenReply2,
  encodeOpenRequest1,
  encodeOpenRequest2,
  encodePing,
  encodePong,
  encodeRefusal,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { recordedLogins } from "@palisade/minecraft-protocol/testing/recorded-logins";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";

/** Valid datagrams and messages of Bedrock, which are then changed. */

const guid = 4_711n;
const ipv4: Endpoint = { ip: Uint8Array.of(127, 0, 0, 1), port: 19_132 };
const ipv6: Endpoint = { ip: new Uint8Array(16).fill(7), port: 19_133 };
const advertisement = encodeAdvertisement(
  {
    edition: "MCPE",
    motd: "A;server",
    protocol: 766,
    version: "1.21.50",
    online: 3,
    max: 20,
    guid,
    subMotd: "Second line",
    gameMode: "Survival",
    gameModeId: 1,
  },
  { ipv4: 19_132, ipv6: 19_133 },
  338,
);

const connected: readonly Buffer[] = [
  encodeConnectedPing(1n),
  encodeConnectedPong({ pingTime: 1n, time: 2n }),
  encodeConnectionRequest({ guid, time: 1n }),
  encodeConnectionAccepted({ client: ipv4, requestTime: 1n, time: 2n }),
  encodeNewIncomingConnection({ server: ipv6, acceptedTime: 1n, time: 2n }),
  encodeDisconnect(),
];

const packets = [encodeSettingsRequest(766), encodeKick("No", 766)];
const login = encodeLogin({ protocol: 766, identity: `{"chain":["a.b.c"]}` }, "d.e.f");
const batches = [
  encodePlainBatch(packets),
  encodePlainBatch([login]),
  encodeBatch(packets, 766),
  encodeBatch([login], 503),
];

function frame(body: Buffer, index: number, split?: Frame["split"]): Frame {
  return {
    reliability: reliabilities.reliableOrdered,
    reliableIndex: index,
    sequenceIndex: undefined,
    order: { index, channel: 0 },
    split,
    body,
  };
}

const recorded = recordedLogins.map(({ datagrams }) =>
  datagrams.map((text) => Buffer.from(text, "base64")),
);

export const bedrockCorpus = {
  client: ipv4,
  connected,
  batches,
  advertisements: [
    advertisement,
    Buffer.from("MCPE;old;390;1.14.60;3;20"),
    Buffer.from("MCEE;a;1;1;1;1;-1;b;c;1;1;1;;;;;;;;"),
  ],
  /** From clients. */
  requests: [
    encodePing(1n, guid),
    encodeOpenRequest1(11, 1_464),
    encodeOpenRequest1(9, 548),
    encodeOpenRequest2({ cookie: 7, server: ipv4, mtu: 1_492, guid }),
    encodeOpenRequest2({ cookie: 7, server: ipv6, mtu: 576, guid }),
  ],
  /** From servers, some of which ask for no cookie. */
  replies: [
    encodePong(1n, guid, advertisement),
    encodeOpenReply1({ guid, cookie: 7, mtu: 1_492 }),
    encodeOpenReply1({ guid, cookie: undefined, mtu: 1_492 }),
    encodeOpenReply2({ guid, client: ipv6, mtu: 1_492 }),
    encodeOpenRequest2({ cookie: undefined, server: ipv4, mtu: 1_492, guid }),
    encodeRefusal("banned", guid),
    encodeIncompatibleProtocol(11, guid),
  ],
  /** Those of connections. */
  datagrams: [
    ...recorded.flat(),
    encodeFrameSet(
      0,
      connected.map((body, index) => frame(body, index)),
    ),
    encodeFrameSet(
      1,
      batches.map((body, index) => frame(body, index, { count: 2, id: 1, index: index % 2 })),
    ),
    encodeFrameSet(2, [frame(encodeDisconnect(), 9)]),
    encodeAcknowledgement({ kind: "ack", ranges: [{ first: 0, last: 9 }] }),
    encodeAcknowledgement({ kind: "nack", ranges: [{ first: 3, last: 3 }] }),
  ],
  /** Datagrams of real clients from the begin of a connection to their login, by version. */
  logins: recorded,
};
