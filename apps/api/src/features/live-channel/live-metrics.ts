import { Counter, Gauge, type Registry } from "prom-client";

export function createLiveMetrics(registry: Registry) {
  return {
    connections: new Gauge({
      name: "palisade_live_connections",
      help: "Connections of the live channel by what they have shown so far",
      labelNames: ["state"],
      registers: [registry],
    }),
    sent: new Counter({
      name: "palisade_live_frames_sent_total",
      help: "Frames sent to clients of the live channel, by event",
      labelNames: ["event"],
      registers: [registry],
    }),
    closed: new Counter({
      name: "palisade_live_closed_total",
      help: "Connections of the live channel that the api closed, by close code",
      labelNames: ["code"],
      registers: [registry],
    }),
  };
}

export type LiveMetrics = ReturnType<typeof createLiveMetrics>;
