import type { StaffPageProps } from "../parts/staff-page-props.ts";
import { ShieldDetails } from "./shield-details.tsx";
import { ShieldList } from "./shield-list.tsx";

/** All shields, or one. */
export function ShieldsPage({ id }: StaffPageProps) {
  return id === undefined ? <ShieldList /> : <ShieldDetails id={id} />;
}
