import type { Server } from "@palisade/contract/http/servers";
import type { Change } from "../receipt.tsx";

interface BackendsSectionProps {
  readonly server: Server;
  readonly onChange: (change: Change) => void;
}

export function BackendsSection(_props: BackendsSectionProps) {
  return null;
}
