import type { Server } from "@palisade/contract/http/servers";
import type { Change } from "../receipt.tsx";

interface CachingSectionProps {
  readonly server: Server;
  readonly onChange: (change: Change) => void;
}

export function CachingSection(_props: CachingSectionProps) {
  return null;
}
