/**
 * Ports from 1024 on of services that are no games: an edge that connected to them for an owner could
 * be used to speak to them from our address. None is in the range that Linux gives to outgoing
 * connections (32768 to 60999).
 *
 * Source: IANA, "Service Name and Transport Protocol Port Number Registry", and the services' manuals.
 */
export const otherServicesPorts = [
  "1080", // SOCKS
  "1194", // OpenVPN
  "1433-1434", // Microsoft SQL Server
  "1521", // Oracle
  "1701", // L2TP
  "1723", // PPTP
  "1883", // MQTT
  "2049", // NFS
  "2181", // ZooKeeper
  "2375-2377", // Docker
  "2379-2380", // etcd
  "2525", // SMTP
  "3128", // Squid
  "3268-3269", // LDAP
  "3306", // MySQL
  "3389", // RDP
  "4369", // Erlang
  "4899", // Radmin
  "5060-5061", // SIP
  "5222", // XMPP
  "5269", // XMPP
  "5432", // PostgreSQL
  "5555", // ADB
  "5671-5672", // AMQP
  "5800", // VNC
  "5900-5910", // VNC
  "5984", // CouchDB
  "5985-5986", // WinRM
  "6000-6010", // X11
  "6379-6380", // Redis
  "6443", // Kubernetes
  "6660-6669", // IRC
  "6697", // IRC
  "7000-7001", // Cassandra, WebLogic
  "8086", // InfluxDB
  "8332-8333", // Bitcoin
  "8883", // MQTT
  "9042", // Cassandra
  "9050-9051", // Tor
  "9092", // Kafka
  "9150", // Tor
  "9200", // Elasticsearch
  "9300", // Elasticsearch
  "10250", // Kubernetes
  "11211", // Memcached
  "15672", // RabbitMQ
  "27017-27019", // MongoDB
].join(",");
