"""What runs inside the sandbox. Nothing outside trusts what it says."""
