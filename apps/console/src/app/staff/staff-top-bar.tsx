import { Trans, useLingui } from "@lingui/react/macro";
import { Link, useParams } from "@tanstack/react-router";
import { useCurrentUser } from "#src/api/current-user.ts";
import { sectionsOf } from "#src/features/staff/sections.ts";
import { paths } from "#src/lib/paths.ts";
import crumbs from "../shell/breadcrumbs.module.css";
import { StaffSearchButton } from "./staff-search-button.tsx";
import { TopBarFrame, type TopBarProps } from "../shell/top-bar-frame.tsx";

export function StaffTopBar(props: TopBarProps) {
  return (
    <TopBarFrame {...props} crumbs={<StaffBreadcrumbs />}>
      <StaffSearchButton />
    </TopBarFrame>
  );
}

/** The staff area, then the section. */
function StaffBreadcrumbs() {
  const { t, i18n } = useLingui();
  const { section: name } = useParams({ strict: false });
  const section = sectionsOf(useCurrentUser()).find((each) => each.name === name);
  return (
    <nav aria-label={t`Breadcrumbs`} className={crumbs["crumbs"]}>
      <ol>
        <li>
          <Link to={paths.staffPage} params={{ section: undefined, id: undefined }}>
            <Trans>Staff</Trans>
          </Link>
        </li>
        {section === undefined ? null : <li aria-current="page">{i18n._(section.label)}</li>}
      </ol>
    </nav>
  );
}
