import type { doctor as english } from "../en/doctor.ts";

/** Findings of the doctor, and how to mend them, in Russian. */
export const doctor: Record<keyof typeof english, string> = {
  "doctor.seen.status": "{version}, игроков {online}/{max}, {latency} мс",
  "doctor.seen.revision": "Версия настроек {applied} из {newest}",
  "doctor.dns.verified": "{name} ведёт на ваш щит",
  "doctor.dns.missing": "У {name} пока нет записи",
  "doctor.dns.missing.fix":
    "Создайте у своего DNS-провайдера запись {type} для {record} со значением {value}. Новые записи становятся видны не сразу.",
  "doctor.dns.points_elsewhere": "{name} ведёт на другой адрес",
  "doctor.dns.points_elsewhere.fix":
    "Замените её у DNS-провайдера на запись {type} для {record} со значением {value}. До этого игроки, заходящие по этому домену, идут в обход защиты.",
  "doctor.dns.addresses_only": "У {name} записи с адресами вместо CNAME",
  "doctor.dns.addresses_only.fix":
    "Удалите их и создайте запись {type} для {record} со значением {value}. Если провайдер превращает CNAME в адреса, создайте ещё запись TXT для {txt_record} со значением {txt_value}.",
  "doctor.dns.unknown": "Не удалось опросить DNS домена {name}",
  "doctor.dns.unknown.fix":
    "Проверить запись не удалось. Повторите проверку через несколько минут. Если ничего не изменится, узнайте у DNS-провайдера, отвечают ли серверы имён домена.",
  "doctor.dns.label_served": "{name} ведёт на наши узлы",
  "doctor.dns.label_missing": "У {name} сейчас нет адреса",
  "doctor.dns.label_missing.fix":
    "Ни один узел этой локации сейчас не принимает игроков. Подождите несколько минут; если не поможет, напишите в поддержку.",
  "doctor.dns.label_unknown": "Не удалось найти {name} в DNS",
  "doctor.dns.label_unknown.fix":
    "Проверить адрес не удалось. Повторите проверку через несколько минут.",
  "doctor.dns.capped": "Проверены только первые {shown} доменов из {total}",
  "doctor.dns.capped.fix": "Записи остальных показаны в разделе «Домены».",
  "doctor.edge.current": "Узел {name} работает с вашими последними настройками",
  "doctor.edge.lagging": "Узел {name} ещё не принял ваши последние настройки",
  "doctor.edge.lagging.fix":
    "Обычно на это уходит секунда. Повторите проверку; если ничего не изменится, напишите в поддержку.",
  "doctor.edge.rejected": "Узел {name} отклонил последние настройки и работает с прежними",
  "doctor.edge.rejected.fix":
    "Отмените последнее изменение или напишите в поддержку, указав показанную здесь причину.",
  "doctor.edge.offline": "Узел {name} не в сети",
  "doctor.edge.offline.fix":
    "От вас ничего не требуется: новые игроки попадают на другие узлы локации. Мы его починим.",
  "doctor.edge.none": "В локации {name} нет ни одного узла в сети",
  "doctor.edge.none.fix":
    "Игроки сейчас не могут зайти, и проверить ваш сервер нельзя. Подождите несколько минут; если не поможет, напишите в поддержку.",
  "doctor.edge.no_vpn_lists":
    "У узла {name} нет списков VPN: защита от VPN включена, но этот узел VPN не блокирует",
  "doctor.edge.no_vpn_lists.fix":
    "От вас ничего не требуется: списки VPN должен добавить оператор узла. До тех пор защита от VPN там не работает.",
  "doctor.edge.no_countries":
    "У узла {name} нет базы стран: ваши правила для стран там не действуют",
  "doctor.edge.no_countries.fix":
    "От вас ничего не требуется: базу стран должен добавить оператор узла.",
  "doctor.edge.no_networks":
    "У узла {name} нет базы сетей: ваши правила для сетей там не действуют",
  "doctor.edge.no_networks.fix":
    "От вас ничего не требуется: базу сетей должен добавить оператор узла.",
  "doctor.edge.expired": "Срок щита истёк: игроки видят сообщение об этом и не могут зайти",
  "doctor.edge.expired.fix": "Нажмите «Продлить сейчас» на обзоре этого щита.",
  "doctor.edge.blocked": "Щит заблокирован: игроки видят сообщение об этом и не могут зайти",
  "doctor.edge.blocked.fix": "Напишите в поддержку.",
  "doctor.edge.capped": "Опрошены только первые {shown} узлов из {total}",
  "doctor.edge.capped.fix": "От вас ничего не требуется: остальные настроены так же.",
  "doctor.backend.online": "{name} отвечает",
  "doctor.backend.refused": "{name} отказывает в соединении",
  "doctor.backend.refused.fix":
    "Запустите сервер и проверьте, что он слушает порт {port} (server-port в server.properties) и не только 127.0.0.1 (server-ip оставьте пустым).",
  "doctor.backend.timeout": "{name} не отвечает",
  "doctor.backend.timeout.fix":
    "Проверьте, что машина работает и адрес верен, и разрешите TCP-соединения с портом {port} в файрволах сервера и хостинга.",
  "doctor.backend.unresolved": "У {host} нет адреса",
  "doctor.backend.unresolved.fix":
    "Исправьте имя сервера или создайте для него запись A или AAAA у DNS-провайдера.",
  "doctor.backend.forbidden": "{name} — не тот адрес, который можно защитить",
  "doctor.backend.forbidden.fix":
    "Укажите публичный адрес сервера и игровой порт: узлы не подключаются ни к частным и собственным адресам, ни к портам ниже 1024 и портам других служб.",
  "doctor.backend.not_minecraft": "По адресу {name} что-то отвечает, но это не сервер Minecraft",
  "doctor.backend.not_minecraft.fix":
    "Проверьте порт: нужен игровой (server-port в server.properties), а не порт query, RCON, SSH или сайта.",
  "doctor.backend.not_asked": "С этого узла не удалось проверить {name}",
  "doctor.backend.not_asked.fix":
    "Узел был занят или недоступен, поэтому проверить сервер не удалось. Повторите проверку.",
  "doctor.backend.unproven": "{name} не подтверждён: игроки туда пока не направляются",
  "doctor.backend.unproven.fix":
    "Запустите сервер: сервер Minecraft подтверждён, как только он ответил узлам. Любой другой нужно подтвердить как свой: раздел «Бэкенды» показывает, как.",
  "doctor.backend.none": "В группе {name} нет ни одного сервера",
  "doctor.backend.none.fix": "Добавьте сервер с адресом и портом в разделе «Бэкенды».",
  "doctor.backend.capped": "Проверены только первые {shown} серверов из {total}",
  "doctor.backend.capped.fix": "Сначала проверяются серверы группы по умолчанию.",
  "doctor.proxy.matches": "PROXY protocol настроен одинаково здесь и на {name}",
  "doctor.proxy.required":
    "{name}: этот сервер ожидает PROXY protocol. Включите его для группы {group}",
  "doctor.proxy.required.fix":
    "Включите PROXY protocol для группы {group} или выключите его на сервере: proxies.proxy-protocol: false в paper-global.yml, haproxy-protocol = false в velocity.toml, proxy_protocol: false в config.yml BungeeCord.",
  "doctor.proxy.unexpected":
    "{name} отвечает только без PROXY protocol, а в группе {group} он включён",
  "doctor.proxy.unexpected.fix":
    "Включите PROXY protocol на сервере (proxies.proxy-protocol: true в paper-global.yml, haproxy-protocol = true в velocity.toml, proxy_protocol: true в config.yml BungeeCord) и перезапустите его или выключите протокол для группы {group}.",
  "doctor.origin.closed": "{name} отклоняет подключения без PROXY protocol",
  "doctor.origin.open": "{name} доступен всем в обход узлов: он отвечает и без PROXY protocol",
  "doctor.origin.open.fix":
    "Разрешите подключаться к порту {port} только узлам: готовые правила файрвола есть в разделе «Бэкенды», «Защита исходного сервера». Если сервер умеет, пусть отклоняет соединения без PROXY protocol.",
  "doctor.origin.unproven":
    "{name} может быть доступен всем в обход узлов: группа {group} не использует PROXY protocol, и исключить это проверкой нельзя",
  "doctor.origin.unproven.fix":
    "Разрешите подключаться к порту {port} только узлам: готовые правила файрвола есть в разделе «Бэкенды», «Защита исходного сервера». Если включить PROXY protocol на сервере и в группе, это можно будет проверить.",
  "doctor.origin.private": "{name} находится в частной сети: из интернета он недоступен",
  "doctor.backend.open": "{name} принимает соединения",
  "doctor.version.known": "Версия {name} известна",
  "doctor.version.old": "На {name} версия старше 1.8",
  "doctor.version.old.fix":
    "Игроки с версиями ниже 1.8 не допускаются, пока их не разрешит диапазон версий в разделе «Защита». Обновите сервер или разрешите там его версию.",
  "doctor.version.newer": "На {name} версия новее тех, что нам известны",
  "doctor.version.newer.fix":
    "Игроки могут заходить. Пока мы её не знаем, проверки по версии могут быть неточны: если что-то не так, напишите в поддержку.",
  "doctor.version.unknown": "Версия {name} неизвестна",
  "doctor.version.unknown.fix":
    "Сервер сообщает протокол {protocol}, которого нет ни у одного выпуска. Для прокси и тестовых сборок это обычно; пока игроки заходят, делать ничего не нужно.",
  "doctor.bedrock.no_ports": "Bedrock включён, а порта для него у {name} нет",
  "doctor.bedrock.no_ports.fix":
    "Добавьте порт в разделе «Bedrock/Geyser»: через него заходят игроки Bedrock.",
  "doctor.bedrock.no_server": "Bedrock включён, а порта Bedrock нет ни у одного сервера {name}",
  "doctor.bedrock.no_server.fix":
    "Игроки Bedrock не могут зайти. В разделе «Бэкенды» укажите UDP-порт Geyser как порт Bedrock вашего сервера.",
  "doctor.bedrock.port_answers": "Порт Bedrock {name} отвечает",
  "doctor.bedrock.port_silent": "Порт Bedrock {name} не отвечает",
  "doctor.bedrock.port_silent.fix":
    "Повторите проверку через минуту. Если это не пройдёт, удалите порт {port} в разделе «Bedrock/Geyser» и добавьте другой или напишите в поддержку.",
  "doctor.bedrock.port_not_asked": "На этом узле не удалось проверить порт Bedrock {name}",
  "doctor.bedrock.port_not_asked.fix": "Узел был занят или недоступен. Повторите проверку.",
  "doctor.bedrock.online": "{name} отвечает игрокам Bedrock",
  "doctor.bedrock.refused": "На UDP-порту {port} сервера {host} никто не отвечает",
  "doctor.bedrock.refused.fix":
    "Запустите Geyser и проверьте, что port в разделе bedrock его config.yml равен {port}, как в разделе «Бэкенды».",
  "doctor.bedrock.timeout": "{name} не отвечает игрокам Bedrock",
  "doctor.bedrock.timeout.fix":
    "Проверьте, что Geyser работает и слушает UDP-порт {port}, и разрешите UDP к этому порту в файрволах сервера и хостинга. Если Geyser ожидает PROXY protocol, в haproxy-protocol-whitelisted-ips его config.yml нужны адреса всех узлов: готовый текст есть в разделе «Bedrock/Geyser».",
  "doctor.bedrock.unresolved": "У {host} нет адреса для игроков Bedrock",
  "doctor.bedrock.unresolved.fix":
    "Исправьте имя сервера в разделе «Бэкенды» или создайте для него запись A или AAAA у DNS-провайдера.",
  "doctor.bedrock.forbidden": "{name} — не тот адрес, куда можно отправлять игроков Bedrock",
  "doctor.bedrock.forbidden.fix":
    "Укажите в разделе «Бэкенды» публичный адрес сервера и UDP-порт Geyser: узлы не подключаются ни к частным и собственным адресам, ни к портам ниже 1024 и портам других служб.",
  "doctor.bedrock.not_minecraft":
    "На UDP-порту {port} сервера {host} что-то отвечает, но это не сервер Bedrock",
  "doctor.bedrock.not_minecraft.fix":
    "Проверьте порт Bedrock в разделе «Бэкенды»: нужен порт Geyser (port в разделе bedrock его config.yml).",
  "doctor.bedrock.not_asked": "С этого узла не удалось проверить {name} для Bedrock",
  "doctor.bedrock.not_asked.fix":
    "Узел был занят или недоступен, поэтому проверить сервер не удалось. Повторите проверку.",
  "doctor.bedrock.proxy_matches": "PROXY protocol для Bedrock настроен одинаково здесь и на {name}",
  "doctor.bedrock.proxy_required": "{name} ожидает PROXY protocol для Bedrock, а здесь он выключен",
  "doctor.bedrock.proxy_required.fix":
    "В разделе «Бэкенды» выберите для этого сервера PROXY protocol для Bedrock «Первая датаграмма (Geyser)». Или выключите его в config.yml Geyser и перезапустите Geyser: use-haproxy-protocol: false, при config-version 4 enable-proxy-protocol: false.",
  "doctor.bedrock.proxy_unexpected":
    "{name} отвечает только без PROXY protocol для Bedrock, а здесь он включён",
  "doctor.bedrock.proxy_unexpected.fix":
    "Включите PROXY protocol в config.yml Geyser и перезапустите Geyser: use-haproxy-protocol: true, при config-version 4 enable-proxy-protocol: true. Или выберите для этого сервера PROXY protocol для Bedrock «Выключено» в разделе «Бэкенды».",
  "doctor.bedrock.version": "{name} сообщает версию Bedrock {version}",
  "doctor.bedrock.version_old": "На {name} версия Bedrock {version}: она старше, чем {oldest}",
  "doctor.bedrock.version_old.fix":
    "Игроки могут заходить, но с версиями до {oldest} Palisade не проверяется. Обновите Geyser или сервер.",
  "doctor.bedrock.version_newer":
    "На {name} версия Bedrock {version}: она новее, чем {newest}, последняя из известных нам",
  "doctor.bedrock.version_newer.fix":
    "Игроки могут заходить. Пока мы не знаем эту версию, проверки, которые читают вход игрока, могут быть неточны: если что-то не так, напишите в поддержку.",
  "doctor.bedrock.version_unknown": "{name} не сообщает версию Bedrock",
  "doctor.bedrock.version_unknown.fix": "Пока игроки заходят, делать ничего не нужно.",
};
