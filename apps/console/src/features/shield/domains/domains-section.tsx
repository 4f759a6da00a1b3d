import type { Server } from "@palisade/contract/http/servers";
import type { Change } from "../receipt.tsx";

interface DomainsSectionProps {
  readonly server: Server;
  readonly onChange: (change: Change) => void;
}

export function DomainsSection(_props: DomainsSectionProps) {
  return null;
}
