import type { Server } from "@palisade/contract/http/servers";
import type { Change } from "../receipt.tsx";

interface SubUsersSectionProps {
  readonly server: Server;
  readonly onChange: (change: Change) => void;
}

export function SubUsersSection(_props: SubUsersSectionProps) {
  return null;
}
