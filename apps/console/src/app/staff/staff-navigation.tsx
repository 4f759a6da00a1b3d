import { useLingui } from "@lingui/react/macro";
import { useParams } from "@tanstack/react-router";
import { useCurrentUser } from "#src/api/current-user.ts";
import { sectionsOf } from "#src/features/staff/sections.ts";
import { paths } from "#src/lib/paths.ts";
import {
  NavigationFrame,
  NavigationItem,
  type NavigationProps,
} from "../shell/navigation-frame.tsx";

/** The sections that the staff member may read. */
export function StaffNavigation(props: NavigationProps) {
  const { t, i18n } = useLingui();
  const { section } = useParams({ strict: false });
  const sections = sectionsOf(useCurrentUser());
  return (
    <NavigationFrame {...props} label={t`Staff area`}>
      {(narrow) =>
        sections.map(({ name, label, icon: Icon }) => (
          <NavigationItem
            key={name}
            target={{ to: paths.staffPage, params: { section: name, id: undefined } }}
            label={i18n._(label)}
            icon={<Icon size={18} stroke={1.6} />}
            narrow={narrow}
            isCurrent={name === section}
            onFollow={props.onClose}
          />
        ))
      }
    </NavigationFrame>
  );
}
