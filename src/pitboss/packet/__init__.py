"""The packet: everything that a regulator, a casino and a dealer are handed, from one game file."""

from pitboss.packet.desk import Brief
from pitboss.packet.written import Packet, Written, packet_of, write_packet

__all__ = ["Brief", "Packet", "Written", "packet_of", "write_packet"]
