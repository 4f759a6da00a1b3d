/** Findings of the doctor, and how to mend them, in English. */
export const doctor = {
  "doctor.seen.status": "{version}, {online}/{max} players, {latency} ms",
  "doctor.seen.revision": "Revision {applied} of {newest}",
  "doctor.dns.verified": "{name} points at your shield",
  "doctor.dns.missing": "{name} has no record yet",
  "doctor.dns.missing.fix":
    "Create a {type} record for {record} with the value {value} at your DNS provider. New records can take a while to be seen everywhere.",
  "doctor.dns.points_elsewhere": "{name} points somewhere else",
  "doctor.dns.points_elsewhere.fix":
    "Change it at your DNS provider to a {type} record for {record} with the value {value}. Until then players who use this domain bypass the protection.",
  "doctor.dns.addresses_only": "{name} has address records instead of a CNAME",
  "doctor.dns.addresses_only.fix":
    "Delete them and create a {type} record for {record} with the value {value}. If your provider turns CNAME records into addresses, also create a TXT record for {txt_record} with the value {txt_value}.",
  "doctor.dns.unknown": "The DNS of {name} did not answer",
  "doctor.dns.unknown.fix":
    "Your record could not be checked. Run the doctor again in a few minutes. If this continues, ask your DNS provider whether the name servers of the domain answer.",
  "doctor.dns.label_served": "{name} leads to our edges",
  "doctor.dns.label_missing": "{name} has no address right now",
  "doctor.dns.label_missing.fix":
    "No edge of the location accepts players at the moment. Wait a few minutes. If this continues, contact support.",
  "doctor.dns.label_unknown": "{name} could not be looked up",
  "doctor.dns.label_unknown.fix":
    "The address could not be checked. Run the doctor again in a few minutes.",
  "doctor.dns.capped": "Only the first {shown} of {total} domains were checked",
  "doctor.dns.capped.fix": "The records of the others are shown in the Domains section.",
  "doctor.edge.current": "{name} runs your newest settings",
  "doctor.edge.lagging": "{name} has not applied your newest settings yet",
  "doctor.edge.lagging.fix":
    "This usually takes a second. Run the doctor again. If this continues, contact support.",
  "doctor.edge.rejected": "{name} rejected your newest settings and keeps the last valid ones",
  "doctor.edge.rejected.fix":
    "Undo your last change, or contact support with the reason shown here.",
  "doctor.edge.offline": "{name} is offline",
  "doctor.edge.offline.fix":
    "You do not have to do anything: new players are sent to the other edges of the location. We will repair it.",
  "doctor.edge.none": "No edge of the location {name} is online",
  "doctor.edge.none.fix":
    "Players cannot join right now, and your server cannot be checked. Wait a few minutes. If this continues, contact support.",
  "doctor.edge.expired": "The shield has expired: players see a message about it and cannot join",
  "doctor.edge.expired.fix": "Press Renew now on the overview of this shield.",
  "doctor.edge.blocked": "The shield is blocked: players see a message about it and cannot join",
  "doctor.edge.no_vpn_lists": "{name} has no VPN list: anti-VPN is on, and this edge blocks no VPN",
  "doctor.edge.no_vpn_lists.fix":
    "There is nothing for you to do: the operator of the edge has to give it VPN lists. Until then anti-VPN does nothing there.",
  "doctor.edge.no_countries":
    "{name} has no database of countries: your rules for countries do nothing there",
  "doctor.edge.no_countries.fix":
    "There is nothing for you to do: the operator of the edge has to give it a database of countries.",
  "doctor.edge.no_networks":
    "{name} has no database of networks: your rules for networks do nothing there",
  "doctor.edge.no_networks.fix":
    "There is nothing for you to do: the operator of the edge has to give it a database of networks.",
  "doctor.edge.blocked.fix": "Contact support.",
  "doctor.edge.capped": "Only the first {shown} of {total} edges were checked",
  "doctor.edge.capped.fix":
    "You do not have to do anything: the other edges have the same settings.",
  "doctor.backend.online": "{name} answers",
  "doctor.backend.refused": "{name} refuses the connection",
  "doctor.backend.refused.fix":
    "Start the server, and check that it listens on port {port} (server-port in server.properties) and not on 127.0.0.1 only (server-ip stays empty).",
  "doctor.backend.timeout": "{name} does not answer",
  "doctor.backend.timeout.fix":
    "Check that the machine is running and the address is right, and allow TCP connections to port {port} in the firewalls of the server and of its host.",
  "doctor.backend.unresolved": "{host} has no address",
  "doctor.backend.unresolved.fix":
    "Correct the host name of the server, or create its A or AAAA record at your DNS provider.",
  "doctor.backend.forbidden": "{name} is not an address that can be protected",
  "doctor.backend.forbidden.fix":
    "Enter the public address of the server and the port of the game: edges connect neither to private addresses and their own, nor to ports below 1024 and those of other services.",
  "doctor.backend.not_minecraft": "Something answers at {name}, but not a Minecraft server",
  "doctor.backend.not_minecraft.fix":
    "Check the port: it has to be the game's (server-port in server.properties), not that of query, RCON, SSH or a website.",
  "doctor.backend.not_asked": "{name} could not be checked from this edge",
  "doctor.backend.not_asked.fix":
    "The edge was busy or unreachable, so your server could not be checked. Run the doctor again.",
  "doctor.backend.unproven": "{name} is not proven: no players are sent there yet",
  "doctor.backend.unproven.fix":
    "Start the server: a Minecraft server is proven once it answers the edges. For any other, show that it is yours: the Backends section says how.",
  "doctor.backend.none": "There is no server in the group {name}",
  "doctor.backend.none.fix": "Add a server with its address and port in the Backends section.",
  "doctor.backend.capped": "Only the first {shown} of {total} servers were checked",
  "doctor.backend.capped.fix": "Servers of the default group are checked first.",
  "doctor.proxy.matches": "PROXY protocol has the same setting here and on {name}",
  "doctor.proxy.required":
    "{name}: This server expects PROXY protocol. Turn it on for the group {group}",
  "doctor.proxy.required.fix":
    "Turn PROXY protocol on for the group {group}, or turn it off on the server: proxies.proxy-protocol: false in paper-global.yml, haproxy-protocol = false in velocity.toml, proxy_protocol: false in BungeeCord's config.yml.",
  "doctor.proxy.unexpected":
    "{name} answers only without PROXY protocol, which the group {group} uses",
  "doctor.proxy.unexpected.fix":
    "Enable PROXY protocol on the server (proxies.proxy-protocol: true in paper-global.yml, haproxy-protocol = true in velocity.toml, proxy_protocol: true in BungeeCord's config.yml) and restart it, or switch it off for the group {group}.",
  "doctor.origin.closed": "{name} refuses connections without PROXY protocol",
  "doctor.origin.open": "Anyone can reach {name} directly: it also answers without PROXY protocol",
  "doctor.origin.open.fix":
    "Let only the edges connect to port {port}: ready firewall rules are in the Backends section under Origin lockdown. If the server can, let it refuse connections without PROXY protocol.",
  "doctor.origin.unproven":
    "Anybody may be able to reach {name} past the edges: the group {group} sends no PROXY protocol, so the doctor cannot rule it out",
  "doctor.origin.unproven.fix":
    "Let only the edges connect to port {port}: ready firewall rules are in the Backends section under Origin lockdown. With PROXY protocol on the server and for the group, the doctor can check this.",
  "doctor.origin.private":
    "{name} is an address of a private network: it cannot be reached from the internet",
  "doctor.backend.open": "{name} takes connections",
  "doctor.version.known": "The version of {name} is known",
  "doctor.version.old": "{name} runs a version older than 1.8",
  "doctor.version.old.fix":
    "Players below 1.8 are turned away unless the version range in Mitigation allows them. Update the server, or allow its version there.",
  "doctor.version.newer": "{name} runs a version newer than those we know",
  "doctor.version.newer.fix":
    "Players can join. Checks that depend on the version may be imprecise until we know it. Tell support if anything looks wrong.",
  "doctor.version.unknown": "The version of {name} is unknown",
  "doctor.version.unknown.fix":
    "The server reports protocol {protocol}, which belongs to no release. This is normal for proxies and test builds. You do not have to do anything while players can join.",
  "doctor.bedrock.no_ports": "Bedrock is on, and {name} has no port for it",
  "doctor.bedrock.no_ports.fix":
    "Add a port in the Bedrock/Geyser section: players of Bedrock join through it.",
  "doctor.bedrock.no_server": "Bedrock is on, and no server of {name} has a Bedrock port",
  "doctor.bedrock.no_server.fix":
    "Players of Bedrock cannot join. Enter the UDP port of Geyser as the Bedrock port of your server in the Backends section.",
  "doctor.bedrock.port_answers": "The Bedrock port {name} answers",
  "doctor.bedrock.port_silent": "The Bedrock port {name} does not answer",
  "doctor.bedrock.port_silent.fix":
    "Run the doctor again in a minute. If this continues, delete port {port} in the Bedrock/Geyser section and add another one, or contact support.",
  "doctor.bedrock.port_not_asked": "The Bedrock port {name} could not be checked on this edge",
  "doctor.bedrock.port_not_asked.fix": "The edge was busy or unreachable. Run the doctor again.",
  "doctor.bedrock.online": "{name} answers players of Bedrock",
  "doctor.bedrock.refused": "Nothing listens on UDP port {port} of {host}",
  "doctor.bedrock.refused.fix":
    "Start Geyser, and check that port below bedrock in its config.yml is {port}, as in the Backends section.",
  "doctor.bedrock.timeout": "{name} does not answer players of Bedrock",
  "doctor.bedrock.timeout.fix":
    "Check that Geyser runs and listens on UDP port {port}, and allow UDP to this port in the firewalls of the server and of its host. If Geyser expects PROXY protocol, haproxy-protocol-whitelisted-ips in its config.yml needs the addresses of all edges: the Bedrock/Geyser section has the text to copy.",
  "doctor.bedrock.unresolved": "{host} has no address for players of Bedrock",
  "doctor.bedrock.unresolved.fix":
    "Correct the host name of the server in the Backends section, or create its A or AAAA record at your DNS provider.",
  "doctor.bedrock.forbidden": "{name} is not an address that players of Bedrock can be sent to",
  "doctor.bedrock.forbidden.fix":
    "Enter the public address of the server and the UDP port of Geyser in the Backends section: edges connect neither to private addresses and their own, nor to ports below 1024 and those of other services.",
  "doctor.bedrock.not_minecraft":
    "Something answers at UDP port {port} of {host}, but not a Bedrock server",
  "doctor.bedrock.not_minecraft.fix":
    "Check the Bedrock port in the Backends section: it has to be the port of Geyser (port below bedrock in its config.yml).",
  "doctor.bedrock.not_asked": "{name} could not be checked for Bedrock from this edge",
  "doctor.bedrock.not_asked.fix":
    "The edge was busy or unreachable, so your server could not be checked. Run the doctor again.",
  "doctor.bedrock.proxy_matches":
    "PROXY protocol for Bedrock has the same setting here and on {name}",
  "doctor.bedrock.proxy_required": "{name} expects PROXY protocol for Bedrock, which is off here",
  "doctor.bedrock.proxy_required.fix":
    'In the Backends section, set PROXY protocol for Bedrock of this server to "First datagram (Geyser)". Or turn it off in Geyser\'s config.yml and restart Geyser: use-haproxy-protocol: false, with config-version 4 enable-proxy-protocol: false.',
  "doctor.bedrock.proxy_unexpected":
    "{name} answers only without PROXY protocol for Bedrock, which is on here",
  "doctor.bedrock.proxy_unexpected.fix":
    'Turn PROXY protocol on in Geyser\'s config.yml and restart Geyser: use-haproxy-protocol: true, with config-version 4 enable-proxy-protocol: true. Or set PROXY protocol for Bedrock of this server to "Off" in the Backends section.',
  "doctor.bedrock.version": "{name} says that it runs Bedrock {version}",
  "doctor.bedrock.version_old": "{name} runs Bedrock {version}, which is older than {oldest}",
  "doctor.bedrock.version_old.fix":
    "Players can join, but versions before {oldest} are not tested with Palisade. Update Geyser or the server.",
  "doctor.bedrock.version_newer":
    "{name} runs Bedrock {version}, which is newer than {newest}, the newest that we know",
  "doctor.bedrock.version_newer.fix":
    "Players can join. Checks that read their login may be imprecise until we know this version. Tell support if anything looks wrong.",
  "doctor.bedrock.version_unknown": "{name} does not say which version of Bedrock it runs",
  "doctor.bedrock.version_unknown.fix": "You do not have to do anything while players can join.",
} as const;
