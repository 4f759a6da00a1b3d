export {
  isEnrolled,
  isRecent,
  onlineSeconds,
  selectEdgeAddresses,
  selectNodeAddresses,
  selectZoneEdges,
  touchEdge,
} from "./liveness.repository.ts";

/** Notified when a node was enrolled or revoked; the payload is its id. */
export const edgesChannel = "palisade_edges";
