/** English texts of the API: validation, errors and acknowledgements. Keys are stable. */
export const en = {
  required: "Required",
  invalid: "Invalid value",
  "boolean.invalid": "Must be true or false",
  "id.invalid": "Must be a valid id",
  "page.invalid": "Page must be a whole number from 1",
  "per_page.invalid": "Per page must be a whole number from 1 to 100",
  "status.invalid": "Unknown status",
  "revision.invalid": "Revision must be a whole number from 1",

  "email.invalid": "Invalid email",
  "password.min": "Min 9 chars",
  "password.max": "At most 256 characters",
  "password.mismatch": "Passwords must match",
  "password.common": "This password is among the most common ones. Choose another",
  "terms.required": "Accept terms",
  "code.min": "Code must be at least 6 characters",
  "code.max": "Code must be at most 8 characters",

  "pricing_plan_id.required": "Pricing plan ID is required",
  "pricing_plan_id.invalid": "Pricing plan ID must be valid",
  "server_name.required": "Server name is required",
  "server_name.max": "Server name must not exceed 255 characters",
  "server_name.characters":
    "Server name can only contain letters, numbers, spaces, hyphens and underscores",
  "real_ip.required": "Real IP is required",
  "real_ip.invalid": "The real ip field must be a valid IP address.",
  "real_ip.private":
    "Private, loopback and link-local addresses cannot be protected. Enter the server's public address",
  "real_port.required": "Real port is required",
  "real_port.integer": "Port must be an integer",
  "real_port.range": "Port must be between 1 and 65535",
  "location.required": "Location is required",
  "domain.required": "Domain is required",
  "domain.max": "Domain must not exceed 255 characters",
  "domain.invalid": "The domain field format is invalid.",
  "domain.parent_unproven": "Prove the domain itself first: a wildcard follows it",
  "cname_record.required": "The cname record field is required.",
  "cname_record.max": "CNAME record must not exceed 255 characters",

  "price.invalid": "Price must be a whole number of cents",
  "toggle.required": "Send at least one setting",

  "amount.required": "Enter an amount",
  "amount.digits": "Only whole euros, digits only",
  "amount.min": "Minimum amount is 1€",
  "amount.max": "Maximum amount is 1000€",
  "payment_method.invalid": "Payment method must be stripe or paypal",
  "payment_method.mismatch": "This payment method belongs to another call",
  "promo_code.required": "Enter a promo code",
  "promo_code.invalid": "Invalid promo code",
  "transaction_type.invalid": "Unknown type",

  "transaction.top_up.stripe": "Top-up by card or bank",
  "transaction.top_up.paypal": "Top-up by PayPal",
  "transaction.promo_bonus": "Bonus of promo code {code}",
  "transaction.purchase": "Game Shield {server}",
  "transaction.renewal": "Renewal of Game Shield {server}",
  "transaction.refund": "Refund",
  "transaction.dispute": "Disputed payment",
  "transaction.adjustment": "Adjustment by support",

  "dns.verified": "CNAME record is correctly set up!",
  "dns.missing": "No record was found yet. New records can take a while to be seen everywhere",
  "dns.points_elsewhere": "The record points somewhere else",
  "dns.addresses_only":
    "The domain has address records instead of a CNAME. Some providers flatten CNAME records: create the TXT record below as well",
  "dns.unknown": "DNS could not be asked just now. This says nothing about your record: try again",

  "probe.online": "Your server answers",
  "probe.not_minecraft": "Something answers there, but not a Minecraft server",
  "probe.refused": "The connection was refused: is the server running, and is the port right?",
  "probe.timeout": "No answer: a firewall may block it, or the address is wrong",
  "probe.unresolved": "This host name has no address",
  "probe.forbidden": "This address cannot be protected",
  "probe.no_edge": "No edge could look just now. You can go on",

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
  "doctor.dns.unknown": "The DNS of {name} could not be asked",
  "doctor.dns.unknown.fix":
    "This says nothing about your record. Run the doctor again in a few minutes. If it stays so, ask your DNS provider whether the name servers of the domain answer.",
  "doctor.dns.label_served": "{name} leads to our edges",
  "doctor.dns.label_missing": "{name} has no address just now",
  "doctor.dns.label_missing.fix":
    "No edge of the location takes players at the moment. Wait a few minutes; if it stays so, contact support.",
  "doctor.dns.label_unknown": "{name} could not be looked up",
  "doctor.dns.label_unknown.fix":
    "This says nothing about your shield. Run the doctor again in a few minutes.",
  "doctor.dns.capped": "Only the first {shown} of {total} domains were looked at",
  "doctor.dns.capped.fix": "The records of the others are shown in the Domains section.",
  "doctor.edge.current": "{name} runs your newest settings",
  "doctor.edge.lagging": "{name} has not taken over your newest settings yet",
  "doctor.edge.lagging.fix":
    "This usually takes a second. Run the doctor again; if it stays so, contact support.",
  "doctor.edge.rejected": "{name} refused your newest settings and keeps the last good ones",
  "doctor.edge.rejected.fix":
    "Take back your last change, or contact support with the reason shown here.",
  "doctor.edge.offline": "{name} is offline",
  "doctor.edge.offline.fix":
    "There is nothing for you to do: new players are led to the other edges of the location. We will repair it.",
  "doctor.edge.none": "No edge of the location {name} is online",
  "doctor.edge.none.fix":
    "Players cannot join just now, and your server cannot be looked at. Wait a few minutes; if it stays so, contact support.",
  "doctor.edge.expired": "The shield has expired: players are told so and cannot join",
  "doctor.edge.expired.fix": "Renew the plan of this shield.",
  "doctor.edge.blocked": "The shield is blocked: players are told so and cannot join",
  "doctor.edge.blocked.fix": "Contact support.",
  "doctor.edge.capped": "Only the first {shown} of {total} edges were asked",
  "doctor.edge.capped.fix": "There is nothing for you to do: the others are set up alike.",
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
    "Enter the public address of the server: private addresses and those of the edges themselves lead nowhere from an edge.",
  "doctor.backend.not_minecraft": "Something answers at {name}, but not a Minecraft server",
  "doctor.backend.not_minecraft.fix":
    "Check the port: it has to be the game's (server-port in server.properties), not that of query, RCON, SSH or a website.",
  "doctor.backend.not_asked": "{name} could not be looked at from this edge",
  "doctor.backend.not_asked.fix":
    "The edge was busy or out of reach. This says nothing about your server: run the doctor again.",
  "doctor.backend.none": "There is no server in the group {name}",
  "doctor.backend.none.fix": "Add a server with its address and port in the Backends section.",
  "doctor.backend.capped": "Only the first {shown} of {total} servers were looked at",
  "doctor.backend.capped.fix":
    "Those of the default group come first. The others are looked at once they move up.",
  "doctor.proxy.matches": "PROXY protocol is set alike here and on {name}",
  "doctor.proxy.required":
    "{name} answers only with PROXY protocol, which the group {group} does not use",
  "doctor.proxy.required.fix":
    "Switch PROXY protocol on for the group {group}, or switch it off on the server: proxies.proxy-protocol: false in paper-global.yml, haproxy-protocol = false in velocity.toml, proxy_protocol: false in BungeeCord's config.yml.",
  "doctor.proxy.unexpected":
    "{name} answers only without PROXY protocol, which the group {group} uses",
  "doctor.proxy.unexpected.fix":
    "Enable PROXY protocol on the server (proxies.proxy-protocol: true in paper-global.yml, haproxy-protocol = true in velocity.toml, proxy_protocol: true in BungeeCord's config.yml) and restart it, or switch it off for the group {group}.",
  "doctor.version.known": "The version of {name} is known",
  "doctor.version.old": "{name} runs a version older than 1.8",
  "doctor.version.old.fix":
    "Players below 1.8 are turned away unless the version range in Mitigation allows them. Update the server, or allow its version there.",
  "doctor.version.newer": "{name} runs a version newer than those we know",
  "doctor.version.newer.fix":
    "Players can join. Checks that go by the version may be imprecise until we know it: tell support if anything looks wrong.",
  "doctor.version.unknown": "The version of {name} is unknown",
  "doctor.version.unknown.fix":
    "The server reports protocol {protocol}, which belongs to no release. That is usual for proxies and test builds; nothing has to be done while players can join.",

  "ip.required": "IP is required",
  "ip.invalid": "The IP field must be a valid IP address.",
  "list_type.invalid": "Type must be blacklist or whitelist",
  "message.invalid": "Must be text",
  "message.max": "At most 512 characters",
  "edge_name.invalid": "Use lower-case letters, digits and hyphens",
  "edge_name.max": "At most 64 characters",
  "edge_kind.invalid": "Kind must be edge or dns",

  "error.bad_request": "The request could not be read",
  "error.unauthenticated": "Please log in",
  "error.insufficient_funds": "Insufficient funds",
  "error.forbidden": "You do not have the right to do this",
  "error.plan_required": "Your plan does not include this",
  "error.email_unverified": "Please verify your email before logging in",
  "error.not_found": "Not found",
  "error.conflict": "This already exists",
  "error.plan_unavailable": "This plan is not available",
  "error.server_not_active": "Server must be active to change this",
  "error.idempotency_in_progress":
    "The first request with this Idempotency-Key is still being worked on",
  "error.schema_unsupported": "This configuration schema version is not supported",
  "error.gone": "Server has been deleted",
  "error.precondition_failed": "Somebody else changed this in the meantime",
  "error.payload_too_large": "The request is too large",
  "error.unsupported_media_type": "Send JSON",
  "error.validation_failed": "Please fix validation errors",
  "error.invalid_credentials": "Wrong e-mail or password",
  "error.invalid_code": "The code is wrong or has expired",
  "error.email_taken": "This e-mail cannot be used",
  "error.domain_in_use": "This domain is already in use",
  "error.cname_not_reserved":
    "This CNAME record was not generated for your account. Generate a new one",
  "error.location_unavailable": "This location is not available",
  "error.price_changed":
    "The price is now {price} € a month. Please look at it again before you buy",
  "error.payment_unavailable": "This payment method is not available",
  "error.promo_invalid": "Invalid promo code",
  "error.daily_limit": "You can top up {euros} € more today",
  "error.entry_exists": "This address is on the list already",
  "error.list_full": "The list is full: 10,000 entries",
  "error.idempotency_mismatch": "This Idempotency-Key was used with another request",
  "error.enrolment_refused": "The enrolment token is unknown, used or expired",
  "error.rate_limited": "Too many requests. Try again in {seconds} s",
  "error.internal": "Something went wrong on our side",
  "error.unavailable": "The service is not available at the moment. Try again shortly",

  "ok.registered": "We have sent you a code. Please check your email.",
  "ok.code_resent": "Code resent successfully. Please check your email.",
  "ok.email_confirmed": "Email confirmed",
  "ok.logged_in": "Logged in",
  "ok.logged_out": "Logged out",
  "ok.server_created": "GameShield created!",
  "ok.promo_applied": "Promo code applied!",
  "renewal.not_active": "Server must be active to change renewal settings",
  "balance.not_active": "Server must be active to change balance settings",
  "ok.renewal_changed": "Automatic renewal changed",
  "ok.balance_changed": "Include account balance changed",
  "ok.firewall_updated": "Firewall settings updated successfully",
  "ok.firewall_entry_added": "IP {ip} added successfully",
  "ok.firewall_entry_removed": "IP {ip} removed successfully",
  "ok.messages_updated": "Updated successfully",
  "ok.edge_revoked": "Edge revoked",
  "ok.received": "Received",
} as const;

export type TextKey = keyof typeof en;
