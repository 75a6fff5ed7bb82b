"""The packet: everything that a regulator, a casino and a dealer are handed, from one game file."""

from pitboss.packets.desk import Brief
from pitboss.packets.written import Packet, Written, packet_of, write_packet

__all__ = ["Brief", "Packet", "Written", "packet_of", "write_packet"]
