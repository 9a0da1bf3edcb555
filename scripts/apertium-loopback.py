"""Runs apertium-apy on the loopback address only; it has no option for that itself."""
import sys

from tornado.httpserver import HTTPServer

bind = HTTPServer.bind
HTTPServer.bind = lambda self, port, *rest, **more: bind(self, port, address='127.0.0.1')

from apertium_apy.apy import main

sys.exit(main())
