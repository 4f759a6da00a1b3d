import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

/** Holds skeletons; screen readers announce 'Loading'. */
export function LoadingRegion(props: { className?: string | undefined; children: ReactNode }) {
  return (
    <div className={props.className} aria-busy="true">
      <output className="visually-hidden">
        <Trans>Loading</Trans>
      </output>
      {props.children}
    </div>
  );
}
