/**
 * First bytes of real clients, recorded on a plain TCP listener with the npm
 * package minecraft-protocol 1.68: for `status` the handshake and the status
 * request, for `login` the handshake and Login Start. Player `Steve_01`.
 */
interface RecordedClient {
  readonly version: string;
  readonly protocol: number;
  readonly intent: "status" | "login";
  readonly host: string;
  readonly hex: string;
}

export const recordedClients: readonly RecordedClient[] = [
  {
    version: "1.7",
    protocol: 5,
    intent: "status",
    host: "127.0.0.1",
    hex: "0f0005093132372e302e302e31b40f010100",
  },
  {
    version: "1.7",
    protocol: 5,
    intent: "login",
    host: "play.example.org",
    hex: "16000510706c61792e6578616d706c652e6f7267b723020a000853746576655f3031",
  },
  {
    version: "1.8.8",
    protocol: 47,
    intent: "status",
    host: "127.0.0.1",
    hex: "0f002f093132372e302e302e319965010100",
  },
  {
    version: "1.8.8",
    protocol: 47,
    intent: "login",
    host: "play.example.org",
    hex: "16002f10706c61792e6578616d706c652e6f72679e87020a000853746576655f3031",
  },
  {
    version: "1.12.2",
    protocol: 340,
    intent: "status",
    host: "127.0.0.1",
    hex: "1000d402093132372e302e302e319ea5010100",
  },
  {
    version: "1.12.2",
    protocol: 340,
    intent: "login",
    host: "play.example.org",
    hex: "1700d40210706c61792e6578616d706c652e6f7267a58d020a000853746576655f3031",
  },
  {
    version: "1.16.5",
    protocol: 754,
    intent: "status",
    host: "127.0.0.1",
    hex: "1000f205093132372e302e302e3194a5010100",
  },
  {
    version: "1.16.5",
    protocol: 754,
    intent: "login",
    host: "play.example.org",
    hex: "1700f20510706c61792e6578616d706c652e6f72678b55020a000853746576655f3031",
  },
  {
    version: "1.18.2",
    protocol: 758,
    intent: "status",
    host: "127.0.0.1",
    hex: "1000f605093132372e302e302e31b00d010100",
  },
  {
    version: "1.18.2",
    protocol: 758,
    intent: "login",
    host: "play.example.org",
    hex: "1700f60510706c61792e6578616d706c652e6f7267838f020a000853746576655f3031",
  },
  {
    version: "1.19",
    protocol: 759,
    intent: "status",
    host: "127.0.0.1",
    hex: "1000f705093132372e302e302e31a131010100",
  },
  {
    version: "1.19",
    protocol: 759,
    intent: "login",
    host: "play.example.org",
    hex: "1700f70510706c61792e6578616d706c652e6f7267b0e7020b000853746576655f303100",
  },
  {
    version: "1.19.2",
    protocol: 760,
    intent: "status",
    host: "127.0.0.1",
    hex: "1000f805093132372e302e302e31b0a9010100",
  },
  {
    version: "1.19.2",
    protocol: 760,
    intent: "login",
    host: "play.example.org",
    hex: "1700f80510706c61792e6578616d706c652e6f7267a323021c000853746576655f30310001e4270dab5764390b8cc60cf94d9aeee9",
  },
  {
    version: "1.19.3",
    protocol: 761,
    intent: "status",
    host: "127.0.0.1",
    hex: "1000f905093132372e302e302e319843010100",
  },
  {
    version: "1.19.3",
    protocol: 761,
    intent: "login",
    host: "play.example.org",
    hex: "1700f90510706c61792e6578616d706c652e6f7267a419021b000853746576655f303101e4270dab5764390b8cc60cf94d9aeee9",
  },
  {
    version: "1.20.1",
    protocol: 763,
    intent: "status",
    host: "127.0.0.1",
    hex: "1000fb05093132372e302e302e31a313010100",
  },
  {
    version: "1.20.1",
    protocol: 763,
    intent: "login",
    host: "play.example.org",
    hex: "1700fb0510706c61792e6578616d706c652e6f7267ad0f021b000853746576655f303101e4270dab5764390b8cc60cf94d9aeee9",
  },
  {
    version: "1.20.2",
    protocol: 764,
    intent: "status",
    host: "127.0.0.1",
    hex: "1000fc05093132372e302e302e31a3eb010100",
  },
  {
    version: "1.20.2",
    protocol: 764,
    intent: "login",
    host: "play.example.org",
    hex: "1700fc0510706c61792e6578616d706c652e6f72679769021a000853746576655f3031e4270dab5764390b8cc60cf94d9aeee9",
  },
  {
    version: "1.20.6",
    protocol: 766,
    intent: "status",
    host: "127.0.0.1",
    hex: "1000fe05093132372e302e302e318deb010100",
  },
  {
    version: "1.20.6",
    protocol: 766,
    intent: "login",
    host: "play.example.org",
    hex: "1700fe0510706c61792e6578616d706c652e6f72679135021a000853746576655f3031e4270dab5764390b8cc60cf94d9aeee9",
  },
  {
    version: "1.21.8",
    protocol: 772,
    intent: "status",
    host: "127.0.0.1",
    hex: "10008406093132372e302e302e31a86d010100",
  },
  {
    version: "1.21.8",
    protocol: 772,
    intent: "login",
    host: "play.example.org",
    hex: "1700840610706c61792e6578616d706c652e6f72679dc1021a000853746576655f3031e4270dab5764390b8cc60cf94d9aeee9",
  },
  {
    version: "1.21.11",
    protocol: 774,
    intent: "status",
    host: "127.0.0.1",
    hex: "10008606093132372e302e302e31a421010100",
  },
  {
    version: "1.21.11",
    protocol: 774,
    intent: "login",
    host: "play.example.org",
    hex: "1700860610706c61792e6578616d706c652e6f726787e9021a000853746576655f3031e4270dab5764390b8cc60cf94d9aeee9",
  },
  {
    version: "26.1",
    protocol: 775,
    intent: "status",
    host: "127.0.0.1",
    hex: "10008706093132372e302e302e318ad9010100",
  },
  {
    version: "26.1",
    protocol: 775,
    intent: "login",
    host: "play.example.org",
    hex: "1700870610706c61792e6578616d706c652e6f7267a9e3021a000853746576655f3031e4270dab5764390b8cc60cf94d9aeee9",
  },
];
