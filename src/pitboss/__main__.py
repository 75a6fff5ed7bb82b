"""python -m pitboss"""

from pitboss.cli import main

raise SystemExit(main())
