export interface StaffPageProps {
  /** The thing that the address names below the section; undefined for its list. */
  readonly id: string | undefined;
}
