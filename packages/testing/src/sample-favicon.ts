export interface SampleFavicon {
  readonly width?: number;
  readonly height?: number;
  /** Bytes of the file. */
  readonly bytes?: number;
  /** Makes it another icon. */
  readonly seed?: number;
}

/** A server's icon as a data URI: a PNG as far as its header says, without pixels. */
export function sampleFavicon(options: SampleFavicon = {}): string {
  const { width = 64, height = 64, bytes = 100, seed = 0 } = options;
  const png = Buffer.alloc(bytes, seed);
  png.write("89504e470d0a1a0a0000000d49484452", "hex");
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return `data:image/png;base64,${png.toString("base64")}`;
}
