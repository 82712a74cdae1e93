"""What is solved when and where: the layout of an island's data in scratch memory, and colours of its constraints."""
