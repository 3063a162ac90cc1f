"""The web service: server-rendered pages that work without JavaScript, linked data, pictures."""

from rdfkms.web.factory import create_app
from rdfkms.web.services import Services, services_of

__all__ = ["Services", "create_app", "services_of"]
